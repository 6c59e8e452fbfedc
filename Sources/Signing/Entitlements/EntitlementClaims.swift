import Bytes
import MachOFormat
import PropertyLists

/// What a program asks for before a profile has its say.
struct EntitlementClaims {
    let entries: [String: PropertyList]

    /// What stands before the first dot of the application identifier that it was signed with; nil for
    /// what was not signed.
    var prefix: Substring? {
        if let application = entries["application-identifier"]?.string,
            application.firstIndex(ofByte: ".") != nil
        {
            return application.prefix(beforeByte: ".")
        }
        return entries["com.apple.developer.team-identifier"]?.string.map { $0[...] }
    }

    init(_ entries: [String: PropertyList]) {
        self.entries = entries
    }

    /// The claims of an old signature: of the first slice that has any.
    ///
    /// - Returns: nil for a program that is not signed, or not with entitlements.
    init?(signed program: MachOFile) {
        for slice in program.slices {
            guard let signature = try? slice.signature(), let bytes = signature.entitlements,
                let list = try? PropertyList(reading: Array(bytes)), let entries = list.dictionary
            else { continue }
            self.init(entries)
            return
        }
        return nil
    }

    /// The same with the variables of build settings replaced, which stand in the entitlements file of
    /// a project.
    func expanding(prefix: Substring, team: String, identifier: String) -> EntitlementClaims {
        let values = [
            "AppIdentifierPrefix": "\(prefix).", "TeamIdentifierPrefix": "\(team).",
            "CFBundleIdentifier": identifier, "PRODUCT_BUNDLE_IDENTIFIER": identifier,
            "DEVELOPMENT_TEAM": team,
        ]
        return EntitlementClaims(
            entries.mapValues { value in
                value.mappingStrings { text in
                    guard text.containsBytes(of: "$(") else { return text }
                    return values.reduce(text) {
                        $0.replacing("$(\($1.key))", with: $1.value)
                    }
                }
            }
        )
    }
}

extension PropertyList {
    /// The same tree with other texts; keys stay as they are.
    func mappingStrings(_ change: (String) -> String) -> PropertyList {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let values): .array(values.map { $0.mappingStrings(change) })
        case .dictionary(let entries):
            .dictionary(entries.mapValues { $0.mappingStrings(change) })
        default: self
        }
    }
}
