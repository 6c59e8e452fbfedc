import Bytes
import MachOFormat
import PropertyLists

/// The entitlements that a program claims, before they are compared with its profile.
struct EntitlementClaims {
    let entries: [String: PropertyList]

    /// The prefix of the application identifier in the old signature, up to its first dot; nil for
    /// unsigned code.
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

    /// The claims in an old signature: those of the first slice that has any.
    ///
    /// - Returns: nil for an unsigned program, or one without entitlements.
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

    /// The claims with the build settings expanded that an entitlements file of a project may contain.
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
    /// The same tree with every string value replaced; keys are unchanged.
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
