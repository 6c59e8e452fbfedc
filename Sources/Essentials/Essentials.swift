/// The import for files that do not need all of Foundation.
///
/// On Linux, all of Foundation includes Core Foundation and ICU, which are 44 MB of a stripped static
/// program; macOS has no smaller part. This file makes the choice once for all others, including the C
/// library that Foundation re-exports.
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
