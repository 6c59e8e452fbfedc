import ArgumentParser
import Bytes

/// A build that a person names: the path of an IPA.
struct BuildFile: ExpressibleByArgument {
    let path: String

    init(argument: String) {
        path = argument
    }

    /// Opens it.
    ///
    /// - Throws: ``CommandFailure`` that names the file.
    func source() throws -> FileSource {
        do {
            return try FileSource(path: path)
        } catch let failure {
            throw CommandFailure(
                id: "input.unreadable",
                message: "the build cannot be read: \(failure.reason)",
                place: path,
                mend: "check the path and its permissions",
            )
        }
    }
}
