import Foundation
import MachOFormat
import Sample
import TestSupport
import Testing

/// Compares with another reader: the output of llvm-objdump for the same files.
@Suite(.enabled(if: Objdump.path != nil, "llvm-objdump is not installed"))
struct ObjdumpTests {
    @Test func `llvm-objdump finds the same commands in our own files`() async throws {
        let builders = [Architecture.armv7, .arm64, .arm64_32].map {
            var builder = MachOBuilder(named: "demo", architecture: $0)
            builder.runPaths = ["@executable_path/Frameworks"]
            builder.usesLegacyVersion = $0 == .armv7
            return builder
        }
        for builder in builders {
            try await compare(try SignedBinary.bytes([builder]))
        }
        try await compare(try SignedBinary.bytes(builders))
    }

    @Test(
        .enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"),
        arguments: Fixtures.items(ofKind: "ipa") + Fixtures.items(ofKind: "macho"),
    )
    func `llvm-objdump finds the same commands in real files`(item: Fixtures.Item) async throws {
        let files =
            item.kind == "ipa"
            ? try RealBinariesTests.executables(of: item).map(\.bytes) : [try item.bytes()]
        for bytes in files { try await compare(bytes) }
    }

    private func compare(_ bytes: [UInt8]) async throws {
        let file = try MachOFile(reading: bytes)
        let path = try #require(Objdump.path)
        try await withTemporaryFolder { folder in
            let name = folder.appending(path: "binary").path()
            try Data(bytes).write(to: URL(filePath: name))
            for slice in file.slices {
                let result = try await Program(path: path).run(
                    ["--macho", "--arch=\(slice.processor)", "--private-headers", name],
                    in: folder,
                )
                try #require(result.status == 0, "\(result.errors)")
                let dump = Objdump(result.output)
                #expect(dump.values("Load command").count == slice.commands.count)
                #expect(dump.values("segname") == segmentNames(of: slice))
                let named =
                    slice.commands.compactMap { command -> String? in
                        switch command {
                        case .library(let library), .identity(let library): library.path
                        case .dynamicLinker(let path): path
                        default: nil
                        }
                    }
                #expect(dump.values("name") == named)
                #expect(dump.values("path") == slice.runPaths)
                let place = try #require(slice.signatureRange)
                let start = place.lowerBound - slice.range.lowerBound
                #expect(dump.values("dataoff").last == "\(start)")
                #expect(dump.values("datasize").last == "\(place.count)")
                let uuid = try #require(slice.uuid)
                #expect(
                    dump.values("uuid").map { $0.filter { $0 != "-" }.lowercased() }
                        == [
                            uuid.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                                .joined()
                        ]
                )
                let version = try #require(slice.buildVersions.first)
                let minimum = version.isLegacy ? "version" : "minos"
                #expect(dump.values(minimum).contains("\(version.minimumOS)"))
                #expect(dump.values("sdk") == ["\(version.sdk)"])
                #expect(
                    dump.values("cryptid") == slice.encryption.map { ["\($0.identifier)"] } ?? []
                )
            }
        }
    }

    /// The dump repeats a segment's name for each of its sections.
    private func segmentNames(of slice: BinarySlice) -> [String] {
        slice.segments.flatMap { Array(repeating: $0.name, count: $0.sectionCount + 1) }
    }
}

/// The lines of a dump: a word, and its value.
struct Objdump {
    static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/llvm-objdump" }
            .first(where: FileManager.default.isExecutableFile)
    }()

    private let lines: [String]

    init(_ output: String) {
        lines = output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    func values(_ word: String) -> [String] {
        lines.filter { $0.hasPrefix(word + " ") }.map { line in
            let value = line.dropFirst(word.count).trimmingCharacters(in: .whitespaces)
            return value.split(separator: " (offset").first.map(String.init) ?? value
        }
    }
}
