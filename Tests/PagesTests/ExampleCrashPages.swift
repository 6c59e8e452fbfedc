import Cryptography
import Foundation
import Identifiers
import Pages
import Releases
import Testing

/// A symbolicated crash report, and the dSYMs of a release.
extension ExamplePages {
    func crash() throws -> CrashPage {
        var content = CrashPage.Content()
        content.process = word("Browsey") + " [512]"
        content.summary = "3 of 4 frames of the app have names."
        content.facts = [
            ("Exception Type", "EXC_BAD_ACCESS (SIGSEGV)"),
            ("Path", "/private/var/containers/Bundle/Application/" + word("Browsey") + ".app"),
            ("OS Version", "iPhone OS 18.1 (22B83)"),
        ]
        content.notes = [word("Fatal error: Unexpectedly found nil")]
        let frames = [
            CrashPage.Frame(
                number: "0",
                name: word("Basket.take"),
                place: "Basket.swift:6 · Browsey",
                isNamed: true,
                isInlined: true,
            ),
            CrashPage.Frame(
                number: "0",
                name: word("Basket.total"),
                place: "Basket.swift:11 · Browsey",
                isNamed: true,
                isInlined: false,
            ),
            CrashPage.Frame(
                number: "1",
                name: "0x1859d3000 + 4096",
                place: "UIKitCore",
                isNamed: false,
                isInlined: false,
            ),
        ]
        content.stacks = [
            CrashPage.Stack(
                heading: "Thread 0, which crashed: com.apple.main-thread",
                isCrashed: true,
                frames: frames,
                more: "12 more frames below.",
            ),
            CrashPage.Stack(
                heading: "Thread 1: " + word("images"),
                isCrashed: false,
                frames: frames,
                more: nil,
            ),
        ]
        content.images = [
            CrashPage.Image(
                name: word("Browsey"),
                detail: "4C4C44CD-5555-3144-A128-5790D1EB2396",
                state: "Symbolicated",
                tone: "good",
            ),
            CrashPage.Image(
                name: "Net",
                detail: "00000000-0000-3000-8000-000000000002",
                state: "No dSYM",
                tone: "warn",
            ),
        ]
        content.remark = "Frames of the system (UIKit and others) stay as image and offset."
        return CrashPage(
            title: word("Browsey") + " 2.4.0 (318)",
            backURL: "release.html",
            content: content,
            admin: try admin(.apps),
        )
    }

    /// The dSYMs of an app with two programs, one of which has one.
    func symbols() throws -> ReleaseSymbols {
        func image(_ digit: String) throws -> ReleaseSymbols.Image {
            let digits = String(repeatElement(digit, count: 32).joined())
            return .init(architecture: "arm64", uuid: try #require(ImageUUID(digits)))
        }
        var symbols = ReleaseSymbols(programs: [
            .init(path: word("Browsey"), images: [try image("1")]),
            .init(path: "Frameworks/Net.framework/Net", images: [try image("2")]),
        ])
        let file = ReleaseSymbols.File(
            name: word("Browsey") + ".app.dSYM",
            images: [try image("1")],
            blob: SHA256Digest(of: [1]),
            size: 24_812_331,
            contentSize: 91_000_000,
            added: Self.now,
            by: "ci",
        )
        let isAdded = symbols.add(file)
        #expect(isAdded)
        return symbols
    }
}
