import Foundation

/// The program `zbarimg`, which reads codes in images.
enum Scanner {
    static let path = ["/usr/bin/zbarimg", "/usr/local/bin/zbarimg", "/opt/homebrew/bin/zbarimg"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool { path != nil }

    /// The text in each image that has a code, by file name.
    static func read(_ names: [String], in folder: URL) throws -> [String: String] {
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.currentDirectoryURL = folder
        process.arguments =
            ["--xml", "--quiet", "--nodbus", "-Sdisable", "-Sqrcode.enable"] + names
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        var result: [String: String] = [:]
        // <source href='NAME'> … <data><![CDATA[TEXT]]></data>
        for source in String(decoding: bytes, as: UTF8.self).components(
            separatedBy: "<source href='"
        )
        .dropFirst() {
            let parts = source.components(separatedBy: "<![CDATA[")
            guard parts.count == 2 else { continue }
            result[parts[0].components(separatedBy: "'")[0]] =
                parts[1].components(separatedBy: "]]>")[0]
        }
        return result
    }
}
