import COpenCL

/// Where a device is on the PCI bus: each vendor has a query of its own, none of which is in the headers of OpenCL 1.2.
enum PCIAddress {
  private static let busInfoKHR: cl_device_info = 0x410F
  private static let busNV: cl_device_info = 0x4008
  private static let slotNV: cl_device_info = 0x4009
  private static let domainNV: cl_device_info = 0x400A
  private static let topologyAMD: cl_device_info = 0x4037

  /// nil where none of the queries is answered.
  static func text(of device: cl_device_id, functions: kiano_opencl_functions, extensions: [String]) -> String? {
    func words(_ item: cl_device_info, count: Int) -> [UInt32]? {
      var words = [UInt32](repeating: 0, count: count)
      return functions.GetDeviceInfo(device, item, count * 4, &words, nil) == CL_SUCCESS ? words : nil
    }
    if extensions.contains("cl_khr_pci_bus_info"), let all = words(busInfoKHR, count: 4) {
      return text(domain: all[0], bus: all[1], device: all[2], function: all[3])
    }
    if extensions.contains("cl_nv_device_attribute_query"), let bus = words(busNV, count: 1),
      let slot = words(slotNV, count: 1)
    {
      // The slot has the function in its lower bits.
      let domain = words(domainNV, count: 1) ?? [0]
      return text(domain: domain[0], bus: bus[0], device: slot[0] >> 3, function: slot[0] & 7)
    }
    // A number for the kind, 17 bytes of which nothing is used, then bus, device and function, a byte each.
    if extensions.contains("cl_amd_device_attribute_query"), let all = words(topologyAMD, count: 6), all[0] == 1 {
      return text(domain: 0, bus: all[5] >> 8 & 0xFF, device: all[5] >> 16 & 0xFF, function: all[5] >> 24)
    }
    return nil
  }

  static func text(domain: UInt32, bus: UInt32, device: UInt32, function: UInt32) -> String {
    func hex(_ value: UInt32, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return "\(hex(domain, 4)):\(hex(bus, 2)):\(hex(device, 2)).\(hex(function, 1))"
  }
}
