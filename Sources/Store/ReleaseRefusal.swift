package import Cryptography
package import Releases

/// Why a release is not published, promoted or changed.
package enum ReleaseRefusal: Error, Equatable {
    /// Other bytes carry the same version and build.
    case otherBytes(ReleaseIdentifier, there: SHA256Digest)
    /// The same bytes were published and taken back.
    case withdrawn(ReleaseIdentifier)
    case unknownApp(String)
    case unknownRelease(ReleaseIdentifier)
    case unknownChannel(ChannelName)
}

extension ReleaseRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherBytes(let release, let digest):
            "release \(release) is there already with other bytes (SHA-256 \(digest))"
        case .withdrawn(let release): "release \(release) was withdrawn"
        case .unknownApp(let app): "there is no app \(app)"
        case .unknownRelease(let release): "there is no release \(release)"
        case .unknownChannel(let channel): "the app has no channel \(channel)"
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .otherBytes: "release.other-bytes"
        case .withdrawn: "release.withdrawn"
        case .unknownApp: "release.unknown-app"
        case .unknownRelease: "release.unknown"
        case .unknownChannel: "release.unknown-channel"
        }
    }

    /// What somebody can do about it.
    package var mend: String {
        switch self {
        case .otherBytes:
            "raise CFBundleVersion and build again, or publish with --replace to exchange the bytes"
        case .withdrawn: "bring it back with `ota releases restore`"
        case .unknownApp: "see `ota releases list` for the apps there are"
        case .unknownRelease: "see `ota releases list` for the releases there are"
        case .unknownChannel: "see `ota releases show` for the channels of the app"
        }
    }
}
