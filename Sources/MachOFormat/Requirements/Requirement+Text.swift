import Bytes

extension Requirement: CustomStringConvertible {
    /// The text that `codesign -d -r-` prints (Security `reqdumper.cpp`).
    package var description: String {
        switch form {
        case .expression(let expression): expression.text(in: .top)
        case .unknown(let form): "/* form \(form) */"
        }
    }
}

extension Requirement.Expression {
    /// The context of an expression, from the tightest binding to the loosest.
    fileprivate enum Level: Int {
        case primary, and, or, top
    }

    fileprivate func text(in level: Level) -> String {
        switch self {
        case .never: "never"
        case .always: "always"
        case .identifier(let name): "identifier \(RequirementText.value(name))"
        case .appleAnchor: "anchor apple"
        case .appleGenericAnchor: "anchor apple generic"
        case .trustedAnchor: "anchor trusted"
        case .namedAnchor(let name): "anchor apple \(RequirementText.value(name))"
        case .anchorDigest(let place, let digest):
            "certificate \(place) = H\"\(Hex.encode(digest))\""
        case .codeDirectoryDigest(let digest): "cdhash H\"\(Hex.encode(digest))\""
        case .infoValue(let key, let value):
            "info[\(RequirementText.key(key))] = \(RequirementText.value(value))"
        case .infoField(let key, let match): "info[\(RequirementText.key(key))]\(match)"
        case .entitlementField(let key, let match):
            "entitlement[\(RequirementText.key(key))]\(match)"
        case .certificateField(let place, let key, let match):
            "certificate \(place)[\(RequirementText.key(key))]\(match)"
        case .certificateExtension(let place, let identifier, let match):
            "certificate \(place)[field.\(RequirementText.objectIdentifier(identifier))]\(match)"
        case .certificatePolicy(let place, let identifier, let match):
            "certificate \(place)[policy.\(RequirementText.objectIdentifier(identifier))]\(match)"
        case .certificateDate(let place, let identifier, let match):
            "certificate \(place)[timestamp.\(RequirementText.objectIdentifier(identifier))]\(match)"
        case .trustedCertificate(let place): "certificate \(place) trusted"
        case .namedCode(let name): "(\(RequirementText.value(name)))"
        case .platform(let number): "platform = \(number)"
        case .notarized: "notarized"
        case .legacyDeveloperID: "legacy"
        case .not(let inner): "! \(inner.text(in: .primary))"
        case .and(let left, let right): Self.joined(left, "and", right, .and, in: level)
        case .or(let left, let right): Self.joined(left, "or", right, .or, in: level)
        case .unknownFalse(let number): "false /* opcode \(number) */"
        case .unknownSkipped(let number, let next):
            "/* opcode \(number) */ \(next.text(in: level))"
        case .unknown(let number): "OPCODE \(number) NOT UNDERSTOOD (ending print)"
        }
    }

    private static func joined(
        _ left: Self,
        _ word: String,
        _ right: Self,
        _ own: Level,
        in level: Level,
    ) -> String {
        let text = "\(left.text(in: own)) \(word) \(right.text(in: own))"
        return level.rawValue < own.rawValue ? "(\(text))" : text
    }
}

extension Requirement.CertificatePosition: CustomStringConvertible {
    package var description: String {
        switch self {
        case .leaf: "leaf"
        case .root: "root"
        default: "\(number)"
        }
    }
}

extension Requirement.Match: CustomStringConvertible {
    /// The text after a field, with a leading space.
    package var description: String {
        switch self {
        case .exists: " /* exists */"
        case .absent: " absent"
        case .equal(let value): " = \(RequirementText.value(value))"
        case .contains(let value): " ~ \(RequirementText.value(value))"
        case .beginsWith(let value): " = \(RequirementText.value(value))*"
        case .endsWith(let value): " = *\(RequirementText.value(value))"
        case .less(let value): " < \(RequirementText.value(value))"
        case .greater(let value): " > \(RequirementText.value(value))"
        case .lessOrEqual(let value): " <= \(RequirementText.value(value))"
        case .greaterOrEqual(let value): " >= \(RequirementText.value(value))"
        case .on(let time): " = \(RequirementText.time(time))"
        case .before(let time): " < \(RequirementText.time(time))"
        case .after(let time): " > \(RequirementText.time(time))"
        case .onOrBefore(let time): " <= \(RequirementText.time(time))"
        case .onOrAfter(let time): " >= \(RequirementText.time(time))"
        case .unknown(let number): " MATCH OPCODE \(number) NOT UNDERSTOOD"
        }
    }
}
