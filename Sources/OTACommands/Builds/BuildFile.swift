import ArgumentParser
import Bytes
import Foundation
import Problems

/// A build that a person names: the path of an IPA.
struct BuildFile: ExpressibleByArgument {
    let path: String

    init(argument: String) {
        path = argument
    }

    /// Opens it.
    ///
    /// - Throws: ``Problem`` that names the file.
    func source() throws -> FileSource {
        do {
            return try FileSource(path: path)
        } catch let failure {
            throw Problem(unreadable: path, because: failure.reason)
        }
    }
}

extension Problem {
    /// A file that a person named cannot be read; one that is not there is named as such.
    init(unreadable path: String, because reason: String) {
        let isThere = path.isEmpty || FileManager.default.fileExists(atPath: path)
        self.init(
            id: "input.unreadable",
            kind: .unavailable,
            message: isThere ? "\(path) cannot be read: \(reason)" : "there is no file \(path)",
            place: path,
            fix: isThere ? "check the path and its permissions" : "check the path",
        )
    }
}
