import CLCMS
import Testing

/// Profiles that tests make.
enum InkProfile {
  /// A profile in which black ink alone counts: as much as it takes away of the light, in L*.
  static func blackOnly() throws -> [UInt8] {
    let profile = try #require(cmsCreateProfilePlaceholder(nil))
    defer { cmsCloseProfile(profile) }
    cmsSetProfileVersion(profile, 4.3)
    cmsSetDeviceClass(profile, cmsSigOutputClass)
    cmsSetColorSpace(profile, cmsSigCmykData)
    cmsSetPCS(profile, cmsSigLabData)
    let pipeline = cmsPipelineAlloc(nil, 4, 3)
    defer { cmsPipelineFree(pipeline) }
    let table = cmsStageAllocCLut16bit(nil, 2, 4, 3, nil)
    cmsStageSampleCLut16bit(
      table,
      { inks, lab, _ in
        lab![0] = 0xFFFF - inks![3]
        lab![1] = 0x8080
        lab![2] = 0x8080
        return 1
      }, nil, 0)
    // A table is saved between curves only.
    for stage in [cmsStageAllocToneCurves(nil, 4, nil), table, cmsStageAllocToneCurves(nil, 3, nil)] {
      cmsPipelineInsertStage(pipeline, cmsAT_END, stage)
    }
    try #require(cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline)) != 0)
    return try saved(profile)
  }

  /// A profile's bytes.
  static func saved(_ profile: cmsHPROFILE) throws -> [UInt8] {
    var count: cmsUInt32Number = 0
    try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
    return bytes
  }
}
