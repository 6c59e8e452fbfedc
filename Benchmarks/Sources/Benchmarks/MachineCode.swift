import Foundation

extension Workbench {
    /// Fills a folder with files of the given sizes, whose contents are consecutive parts of the program
    /// `ota`.
    ///
    /// Copies in small pieces, because a child process inherits this program's peak memory as its minimum.
    ///
    /// - Returns: the files' paths.
    @discardableResult
    func writeMachineCode(_ sizes: [Int], to folder: String) throws -> [String] {
        try FileManager.default.createDirectory(
            atPath: path(folder),
            withIntermediateDirectories: true,
        )
        let code = try FileHandle(forReadingFrom: URL(filePath: ota))
        defer { try? code.close() }
        return try sizes.enumerated().map { index, size in
            let path = path("\(folder)/code-\(index)")
            try copy(size, of: code, to: path)
            return path
        }
    }

    /// Starts from the beginning again at the end of the program.
    private func copy(_ size: Int, of code: FileHandle, to path: String) throws {
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        var remaining = size
        while remaining > 0 {
            let piece = try code.read(upToCount: min(remaining, 1 << 18)) ?? Data()
            if piece.isEmpty { try code.seek(toOffset: 0) }
            try file.write(contentsOf: piece)
            remaining -= piece.count
        }
    }
}
