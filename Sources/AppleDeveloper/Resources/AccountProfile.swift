package import Essentials

/// A provisioning profile in the developer account.
package struct AccountProfile: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case active
        /// Its certificate was revoked, its App ID changed, or one of its devices was removed.
        case invalid
        /// Undocumented, but seen.
        case expired
        case other(String)
    }

    package let id: ResourceID
    package let name: String
    /// Apple's name for the type, such as `IOS_APP_ADHOC`.
    package let type: String
    package let state: State
    package let uuid: String?
    package let created: Date?
    package let expires: Date?
    /// The App ID; nil when it was not requested.
    package let bundleID: ResourceID?
    /// Nil when they were not requested.
    package let certificates: [ResourceID]?
    /// The contents of the `.mobileprovision` file; nil when they were not requested.
    package let content: [UInt8]?
}

extension AccountProfile.State {
    init(word: String) {
        self =
            switch word {
            case "ACTIVE": .active
            case "INVALID": .invalid
            case "EXPIRED": .expired
            default: .other(word)
            }
    }
}

extension AccountProfile: Decodable {
    private enum AttributeKey: String, CodingKey {
        case name, profileType, profileState, profileContent, uuid, createdDate, expirationDate
    }

    package init(from decoder: any Decoder) throws {
        let reader = try ResourceReader<AttributeKey>(decoder, type: "profiles")
        id = reader.id
        name = try reader.needed(.name)
        type = reader.text(.profileType) ?? ""
        state = State(word: reader.text(.profileState) ?? "")
        uuid = reader.text(.uuid)
        created = reader.date(.createdDate)
        expires = reader.date(.expirationDate)
        bundleID = reader.related("bundleId")?.first
        certificates = reader.related("certificates")
        content = reader.text(.profileContent).flatMap {
            Data(base64Encoded: $0, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
        }
    }
}
