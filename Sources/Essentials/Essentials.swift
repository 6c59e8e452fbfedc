/// What a file imports that does not need the whole of Foundation.
///
/// On Linux the whole brings Core Foundation and ICU, which are 44 MB of a stripped static program;
/// on macOS there is only the whole. The choice stands here once, with the C library that
/// Foundation brings along, so that no other file has to make it.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#if canImport(Musl)
@_exported public import Musl
#else
@_exported public import Glibc
#endif
#else
@_exported public import Foundation
#endif
