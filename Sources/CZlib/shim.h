#include <zlib.h>
#include "crc32.h"
