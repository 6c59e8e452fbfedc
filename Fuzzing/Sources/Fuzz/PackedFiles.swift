import Bytes
import Zip

/// The files of an app one after another, without the checksums of an archive.
///
/// Each is a byte that chooses its path, two bytes with its length, and its content.
struct PackedFiles {
    enum Place: UInt8, CaseIterable {
        case info, program, seal, text, profile, extensionInfo, extensionProgram, library, link
        case icon, watchInfo

        var path: String {
            switch self {
            case .info: "Info.plist"
            case .program: "A"
            case .seal: "_CodeSignature/CodeResources"
            case .text: "a.txt"
            case .profile: "embedded.mobileprovision"
            case .extensionInfo: "PlugIns/E.appex/Info.plist"
            case .extensionProgram: "PlugIns/E.appex/A"
            case .library: "Frameworks/l.dylib"
            case .link: "link"
            case .icon: "AppIcon60x60@2x.png"
            case .watchInfo: "Watch/W.app/Info.plist"
            }
        }
    }

    private var files: [Place: [UInt8]] = [:]

    /// Any bytes are valid; if the last file claims too much, it gets the rest.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count >= 3 {
            let head = Array(rest.prefix(3))
            let place = Place(rawValue: head[0] % UInt8(Place.allCases.count))
            rest = rest.dropFirst(3)
            let contents = rest.prefix(Int(head[1]) << 8 | Int(head[2]))
            if let place { files[place] = Array(contents) }
            rest = rest.dropFirst(contents.count)
        }
    }

    static func packing(_ files: [(Place, [UInt8])]) -> [UInt8] {
        files.flatMap { place, contents in
            [place.rawValue, UInt8(contents.count >> 8), UInt8(contents.count & 0xFF)] + contents
        }
    }

    var archive: [UInt8]? {
        try? ZipWriter.archive { zip in
            for place in Place.allCases {
                guard let contents = files[place] else { continue }
                let path = "Payload/A.app/\(place.path)"
                if place == .link {
                    // Links that lead out of the app are another target's subject.
                    try zip.addSymbolicLink(path, target: "a.txt")
                } else {
                    try zip.add(path, contents: contents, mode: 0o755, method: .stored)
                }
            }
        }
    }
}
