import Dispatch
import Foundation
import Packaging
import Problems

/// The file to which a signed build is written, in the folder of its output under a hidden temporary name.
///
/// It is removed unless it is kept, even if a signal ends the program.
final class SignedFile {
    let file: PartialFile
    private let path: String
    private let output: String
    private let signals: [any DispatchSourceSignal]
    private var isKept = false

    /// - Throws: `PackageRefusal`.
    init(for output: String) throws(PackageRefusal) {
        self.output = output
        var generator = SystemRandomNumberGenerator()
        let parts = output.split(separator: "/", omittingEmptySubsequences: false)
        let name = ".\(parts.last ?? "").\(String(generator.next(), radix: 36))"
        let path = (parts.dropLast() + [name[...]]).joined(separator: "/")
        self.path = path
        do throws(PackageRefusal) {
            file = try PartialFile(new: path)
        } catch .unwritable(_, let reason) {
            // The error names the output, because no one knows the hidden name.
            throw .unwritable(output, reason: reason)
        }
        signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                _ = unsafe unlink(path)
                _exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in signals { source.cancel() }
        if !isKept { _ = unsafe unlink(path) }
    }

    /// Renames the file to its output path, replacing an existing file.
    ///
    /// - Throws: `PackageRefusal`.
    func keep() throws(PackageRefusal) {
        guard unsafe rename(path, output) == 0 else {
            throw .unwritable(output, reason: LastSystemError.reason)
        }
        isKept = true
    }
}
