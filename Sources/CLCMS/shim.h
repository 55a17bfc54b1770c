#include <lcms2.h>

// Macros made of other macros don't reach Swift.
static const cmsUInt32Number kiano_lcms_grey8 = TYPE_GRAY_8;
static const cmsUInt32Number kiano_lcms_rgb8 = TYPE_RGB_8;
static const cmsUInt32Number kiano_lcms_cmyk8 = TYPE_CMYK_8;
static const cmsUInt32Number kiano_lcms_cmyk8_inverted = TYPE_CMYK_8_REV;
