import Foundation
import Sample
import TestSupport
import Testing
import Zip

/// Properties of an archive that other signers lose: modes, links, dates, flags, and the order and form of
/// entries.
@Suite(.enabled(if: SignatureCheck.isPresent, "python3 or openssl is not on this machine"))
struct KeptFormTests {
    /// Forms of archives from this project's own writer.
    private static let forms: [ZipWriter.Options] = [
        ZipWriter.Options(), ZipWriter.Options(dataDescriptors: true),
        ZipWriter.Options(dataDescriptors: true, descriptorSignature: false),
        ZipWriter.Options(forceZip64: true),
        ZipWriter.Options(dataDescriptors: true, forceZip64: true),
    ]

    @Test(arguments: forms.indices)
    func `an archive of any form is signed, and its entries keep theirs`(_ form: Int) async throws {
        var app = try SigningRoom.app(named: "Größe 🦊").nesting(.framework("Café\u{301} Kit"))
            .resource(.file("private.txt", Array("a".utf8), mode: 0o600))
            .resource(.file("tool", Array("#!/bin/sh\n".utf8), mode: 0o755))
        app.packing = Self.forms[form]
        try await SigningRoom.prove(
            app.bytes(),
            for: SigningRoom.request([SigningRoom.profile()]),
        )
    }

    @Test(arguments: [["-ry"], ["-ryX"], ["-0ry"], ["-9ryD"], ["-ry", "-fz"]])
    func `an archive of zip's keeps modes, links, dates and extra fields`(
        _ options: [String]
    ) async throws {
        let tools = ["/usr/bin/zip", "/usr/bin/unzip"]
        try #require(tools.allSatisfy(FileManager.default.isExecutableFile(atPath:)))
        try await withTemporaryFolder { folder in
            let app = try SigningRoom.app(named: "Größe")
                .nesting(.framework("Kit"))
                .resource(.file("private.txt", Array("a".utf8), mode: 0o600))
                .resource(.symbolicLink("link.txt", to: "notes.txt"))
            try Data(app.bytes()).write(to: folder.appending(path: "made.ipa"))
            let unpacked = try await Program(path: tools[1]).run(["-q", "made.ipa"], in: folder)
            try #require(unpacked.status == 0, "\(unpacked.errors)")
            let packed = try await Program(path: tools[0]).run(
                ["-q"] + options + ["packed.ipa", "Payload"],
                in: folder,
            )
            try #require(packed.status == 0, "\(packed.errors)")
            let original = try [UInt8](Data(contentsOf: folder.appending(path: "packed.ipa")))
            try await SigningRoom.prove(
                original,
                for: SigningRoom.request([SigningRoom.profile()]),
            )
        }
    }
}
