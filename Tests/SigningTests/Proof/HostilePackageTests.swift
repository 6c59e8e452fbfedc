import Bytes
import Foundation
import Inspection
import Problems
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing
import Zip

/// Malicious packages: each is refused with a specific error, or signed like any other.
struct HostilePackageTests {
    /// The identifier and message of a refusal; nil if the package was signed.
    private static func refusal(
        of archive: [UInt8],
        for request: SigningRequest? = nil,
    ) throws -> (id: String, words: String)? {
        do {
            let request = try request ?? SigningRoom.request([SigningRoom.profile()])
            _ = try SigningRoom.sign(archive, for: request)
            return nil
        } catch let error as any ReportableError {
            return (error.id, "\(error)")
        }
    }

    @Test(arguments: ["Example", "_CodeSignature/CodeResources", "embedded.mobileprovision"])
    func `a file to be signed or replaced that is a symbolic link is refused`(
        _ path: String
    ) throws {
        for target in ["notes.txt", "Info.plist", path, "nowhere"] {
            let app = try SigningRoom.app().afterSigning { tree in
                try tree.remove(path)
                tree.add(.symbolicLink(path, to: target))
            }
            let refusal = try Self.refusal(of: app.bytes())
            #expect(
                refusal?.words.contains(path) == true,
                "\(path) to \(target): \(refusal as Any)",
            )
        }
    }

    @Test func `a folder of signatures that is a link to another is refused`() throws {
        let app = try SigningRoom.app().nesting(.framework("Kit")).afterSigning { tree in
            try tree.remove("Frameworks/Kit.framework/_CodeSignature")
            tree.add(
                .symbolicLink(
                    "Frameworks/Kit.framework/_CodeSignature",
                    to: "../../_CodeSignature",
                )
            )
        }
        #expect(try Self.refusal(of: app.bytes())?.id == "signing.place-taken")
    }

    @Test func `links that lead around in a circle are sealed as what they are`() throws {
        let app = try SigningRoom.app()
            .resource(.symbolicLink("a", to: "b"))
            .resource(.symbolicLink("b", to: "a"))
            .resource(.symbolicLink("self", to: "self"))
            .resource(.symbolicLink("here", to: "."))
            .bytes()
        let refusal = try Self.refusal(of: app)
        if refusal == nil {
            let signed = try SigningRoom.sign(
                app,
                for: SigningRoom.request([SigningRoom.profile()]),
            )
            #expect(try SigningRoom.report(on: signed).obstacles == [])
        }
    }

    @Test(arguments: ["../../out", "/etc/passwd", "../../../out"])
    func `a link that leaves the app is refused`(_ target: String) throws {
        let app = try SigningRoom.app().resource(.symbolicLink("out", to: target)).bytes()
        #expect(try Self.refusal(of: app) != nil)
    }

    @Test func `a program that is none, is cut off or is sold by the App Store is named`() throws {
        let changes: [(String, @Sendable (inout SampleTree) throws -> Void)] = [
            (
                "signing.executable-not-code",
                { try $0.replace("Example", with: Array("#!".utf8)) },
            ),
            ("signing.executable-not-code", { try $0.replace("Example", with: []) }),
            ("signing.program-malformed", { try $0.edit("Example") { $0.removeLast(9_000) } }),
            ("signing.signature-not-last", { try $0.edit("Example") { $0.append(0) } }),
            ("signing.executable-missing", { try $0.remove("Example") }),
        ]
        for (id, change) in changes {
            let refusal = try Self.refusal(of: SigningRoom.app().afterSigning(change).bytes())
            #expect(refusal?.id == id)
            #expect(refusal?.words.contains("Example") == true)
        }
        let sold = try SigningRoom.app().editing {
            $0.app.adjustExecutable = { $0.encryption = 1 }
        }
        #expect(try Self.refusal(of: sold.bytes())?.id == "signing.program-encrypted")
    }

    @Test
    func `bundles nested a hundred deep are signed or refused, without recursion without end`()
        throws
    {
        let app = try SigningRoom.app().afterSigning { tree in
            let info = try tree.bytes(of: "Frameworks/Kit.framework/Info.plist")
            let code = try tree.bytes(of: "Frameworks/Kit.framework/Kit")
            var place = "Frameworks/Kit.framework"
            for _ in 0..<100 {
                place += "/Frameworks/Kit.framework"
                tree.add(.file("\(place)/Info.plist", info))
                tree.add(.file("\(place)/Kit", code, mode: 0o755))
            }
        }.nesting(.framework("Kit"))
        _ = try Self.refusal(of: app.bytes())
    }

    @Test func `any bit of a program changed is refused by name, or signed so that it holds`()
        throws
    {
        let request = try SigningRoom.request([SigningRoom.profile()])
        let app = try SigningRoom.app()
        let program = try app.tree().bytes(of: "Example")
        // Only the header and the load commands, where most changes have an effect.
        for head in SeededDamage.flips(of: Array(program.prefix(1_600)), count: 150, seed: 16) {
            let damaged = head + program.dropFirst(1_600)
            let archive = try app.afterSigning { try $0.replace("Example", with: damaged) }.bytes()
            do {
                let signed = try SigningRoom.sign(archive, for: request)
                let seals = try SigningRoom.report(on: signed).findings.map(\.id)
                    .filter { $0.hasPrefix("signature.") || $0.hasPrefix("seal.") }
                #expect(seals == [])
            } catch let error as any ReportableError {
                #expect(error.id.contains("."))
            }
        }
    }

    @Test(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
    func `no archive that was made to do harm is signed`() throws {
        let request = try SigningRoom.request([SigningRoom.profile(pattern: "*")])
        for item in Fixtures.items(ofKind: "zip-hostile") + Fixtures.items(ofKind: "zip-odd") {
            #expect(try Self.refusal(of: item.bytes(), for: request) != nil, "\(item)")
        }
    }

    @Test(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
    func `no Mach-O file that was made to do harm is signed`() throws {
        for item in Fixtures.items(ofKind: "macho-hostile") {
            let program = try item.bytes()
            let app = try SigningRoom.app().afterSigning {
                try $0.replace("Example", with: program)
            }
            let refusal = try Self.refusal(of: app.bytes())
            #expect(refusal?.id.hasPrefix("signing.") == true, "\(item)")
        }
    }
}
