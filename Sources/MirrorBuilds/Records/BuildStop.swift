/// Why a build ended before its last step: there was nothing to do, or something went wrong.
///
/// The record of the build says it.
enum BuildStop: Error {
    case skipped(String)
    case failed(String)
    case cancelled(by: String)
    case interrupted
}
