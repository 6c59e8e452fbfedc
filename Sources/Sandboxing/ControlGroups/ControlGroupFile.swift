import Foundation

/// The files through which Linux exposes control groups.
enum ControlGroupFile {
    static func makeFolder(_ path: String) -> Bool {
        unsafe mkdir(path, 0o755) == 0 || errno == EEXIST
    }

    static func lines(of path: String) -> [String] {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    static func words(of path: String) -> [String] {
        lines(of: path).flatMap { $0.split(separator: " ").map(String.init) }
    }

    /// - Returns: whether the system accepted the whole text.
    @discardableResult
    static func write(_ text: String, to path: String) -> Bool {
        let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = Array(text.utf8)
        return unsafe Foundation.write(file, bytes, bytes.count) == bytes.count
    }
}
