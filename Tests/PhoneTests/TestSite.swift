import Cryptography
import Foundation
import NIOHTTP1
import PropertyLists
import Zip

/// A site from which a phone installs, and a test's changes to it.
struct TestSite: Sendable {
    typealias Script = ScriptedServer.Script

    var archive: [UInt8]
    var pieceSize = 100_000
    /// Changes the manifest's one item.
    var item: @Sendable (inout [String: PropertyList], _ base: String) -> Void = { _, _ in }
    var metadata: [String: PropertyList] = [
        "bundle-identifier": .string("com.example.orchard"),
        "bundle-version": .string("7"),
        "kind": .string("software"),
        "title": .string("Orchard & Söhne"),
    ]
    var packageURL: @Sendable (_ base: String) -> String = { $0 + "/app.ipa" }
    var tag: String? = "\"a1\""
    /// Responses by `METHOD path`; if a closure returns nil, the usual response is sent.
    var replies: [String: @Sendable (ScriptedRequest) -> ScriptedReply?] = [:]

    init() throws {
        archive = try Self.archive()
    }

    static func archive(
        _ change: (inout [String: PropertyList]) -> Void = { _ in }
    ) throws -> [UInt8] {
        var info: [String: PropertyList] = [
            "CFBundleIdentifier": .string("com.example.orchard"),
            "CFBundleName": .string("Orchard"),
            "CFBundleVersion": .string("7"),
            "CFBundleShortVersionString": .string("1.2"),
            "CFBundleExecutable": .string("Orchard"),
            "MinimumOSVersion": .string("16.0"),
            "UIDeviceFamily": .array([.integer(1), .integer(2)]),
        ]
        change(&info)
        // Incompressible bytes, so that the download is long enough to be cut.
        let noise = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        return try ZipWriter.archive { zip in
            try zip.addDirectory("Payload")
            try zip.addDirectory("Payload/Orchard.app")
            try zip.add(
                "Payload/Orchard.app/Info.plist",
                contents: PropertyList.dictionary(info).binary(),
            )
            try zip.add(
                "Payload/Orchard.app/Orchard",
                contents: noise,
                mode: 0o755,
                method: .stored,
            )
        }
    }

    func manifest(base: String) -> PropertyList {
        let pieces = stride(from: 0, to: archive.count, by: pieceSize).map {
            archive[$0..<min($0 + pieceSize, archive.count)]
        }
        var item: [String: PropertyList] = [
            "metadata": .dictionary(metadata),
            "assets": .array([
                .dictionary([
                    "kind": .string("software-package"),
                    "url": .string(packageURL(base)),
                    "sha256-size": .integer(Int64(pieceSize)),
                    "sha256s": .array(pieces.map { .string("\(SHA256Digest(of: $0))") }),
                ]),
                icon("display-image", base + "/icon-57.png"),
                icon("full-size-image", base + "/icon-512.png"),
            ]),
        ]
        self.item(&item, base)
        return .dictionary(["items": .array([.dictionary(item)])])
    }

    private func icon(_ kind: String, _ url: String) -> PropertyList {
        .dictionary(["kind": .string(kind), "url": .string(url)])
    }

    var script: Script {
        { request in
            replies["\(request.method) \(request.path)"]?(request) ?? usual(request)
        }
    }

    private func usual(_ request: ScriptedRequest) -> ScriptedReply {
        switch request.path {
        case "/":
            let url =
                (request.base + "/manifest.plist")
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let link = "itms-services://?action=download-manifest&amp;url=\(url)"
            return .text("<!doctype html><html><a class=b href=\"\(link)\">Install</a></html>")
        case "/manifest.plist":
            return ScriptedReply(
                headers: [("Content-Type", "text/xml; charset=utf-8")],
                body: manifest(base: request.base).xml(),
            )
        case "/icon-57.png": return picture(57)
        case "/icon-512.png": return picture(512)
        case "/app.ipa": return app(request)
        default: return ScriptedReply(status: .notFound)
        }
    }

    func picture(_ side: UInt16, isAppleOnly: Bool = false) -> ScriptedReply {
        let number = [0, 0, UInt8(side >> 8), UInt8(side & 0xff)]
        let apple = [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0, 0x20, 2, 0x2b, 0xd5, 0xb3, 0x7f]
        let body =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + (isAppleOnly ? apple : [])
            + [0, 0, 0, 13] + Array("IHDR".utf8) + number + number + [8, 6, 0, 0, 0]
        return ScriptedReply(headers: [("Content-Type", "image/png")], body: body)
    }

    /// Responds with the app, and supports ranges, as a good server does.
    func app(_ request: ScriptedRequest) -> ScriptedReply {
        var reply = ScriptedReply(
            headers: [("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")],
            body: archive,
        )
        if let tag { reply.headers.append(("ETag", tag)) }
        guard let range = request.headers.first(name: "Range"),
            [nil, tag].contains(request.headers.first(name: "If-Range"))
        else { return reply }
        let ends = range.dropFirst("bytes=".count).split(
            separator: "-",
            omittingEmptySubsequences: false,
        )
        let first = Int(ends[0]) ?? 0
        let last = Int(ends[1]) ?? archive.count - 1
        reply.status = .partialContent
        reply.headers.append(("Content-Range", "bytes \(first)-\(last)/\(archive.count)"))
        reply.body = Array(archive[first...last])
        return reply
    }
}
