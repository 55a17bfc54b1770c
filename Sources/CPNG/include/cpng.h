#ifndef KIANO_CPNG_H
#define KIANO_CPNG_H
#include <png.h>
#endif
