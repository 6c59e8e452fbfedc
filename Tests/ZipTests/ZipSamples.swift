import Bytes
import TestSupport
import Zip

/// Archives with every kind of entry, for the tests of damage and of forms.
enum ZipSamples {
    static let text = String(repeating: "An app is a folder of files. ", count: 20)

    static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 7)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func fill(_ zip: inout ZipWriter) throws {
        try zip.addDirectory("Payload")
        try zip.addDirectory("Payload/X.app")
        try zip.add("Payload/X.app/X", contents: Array(text.utf8), mode: 0o755)
        try zip.add("Payload/X.app/noise", contents: noise(80), method: .stored)
        try zip.add("Payload/X.app/empty", contents: [])
        try zip.add("Payload/X.app/caf\u{E9}", contents: Array("au lait".utf8))
        try zip.addSymbolicLink("Payload/X.app/link", target: "X")
        var pieces = [Array("a stream ".utf8), Array("of pieces".utf8)]
        try zip.add("Payload/X.app/streamed") { pieces.isEmpty ? nil : pieces.removeFirst() }
    }

    static let options: [ZipWriter.Options] = [
        .init(),
        .init(dataDescriptors: true),
        .init(dataDescriptors: true, descriptorSignature: false),
        .init(forceZip64: true),
        .init(dataDescriptors: true, forceZip64: true, comment: Array("built by a test".utf8)),
        .init(dataDescriptors: true, descriptorSignature: false, forceZip64: true),
    ]

    static func archive(_ options: ZipWriter.Options = .init()) throws -> [UInt8] {
        try ZipWriter.archive(options: options, fill)
    }

    /// Every path with its content; throws the first refusal.
    static func contents(_ bytes: [UInt8]) throws(ZipRefusal) -> [String: [UInt8]] {
        let archive = try ZipArchive(reading: MemorySource(bytes))
        var contents: [String: [UInt8]] = [:]
        for entry in archive.entries {
            contents[entry.path.text] = try archive.contents(of: entry, atMost: 1 << 20)
        }
        return contents
    }
}
