import Bytes
package import Cryptography
package import Essentials
package import PropertyLists

/// Builds a provisioning profile with all keys of Apple's profiles.
package struct ProfileBuilder: Sendable {
    package enum Kind: Sendable, CaseIterable {
        case development, adHoc, enterprise, appStore, testFlight
    }

    package var kind: Kind
    package var devices: [String]
    package var created: Date
    package var expires: Date
    /// Nil to derive it from kind and identifier.
    package var name: String?
    /// Nil to derive it from everything else.
    package var uuid: String?
    /// The part after the prefix: nil for the bundle's identifier; otherwise a pattern such as `*` or
    /// `com.example.*`.
    package var pattern: String?
    /// The application identifier prefix, for accounts where it is not the team identifier.
    package var prefix: String?
    package var team: DevelopmentTeam?
    package var platforms = ["iOS", "xrOS", "visionOS"]
    package var isXcodeManaged = false
    /// The certificates that may sign; nil for the authority's certificate for the kind.
    package var certificates: [Certificate]?
    /// Granted in addition to the bundle's own entitlements.
    package var entitlements: [String: PropertyList] = [:]
    /// Claimed by the bundle, but not granted.
    package var withheld: Set<String> = []
    /// Keys to set at the end; nil removes a key.
    package var overrides: [String: PropertyList?] = [:]
    /// Apple still signs with SHA-1.
    package var digest = DigestAlgorithm.sha1
    /// Nil for the authority's profile signer.
    package var signer: SigningIdentity?
    /// Adds the second, DER form of profiles since 2021, signed with its own chain.
    package var includesDERForm = false
    /// Keys to set only in the second form; nil removes a key.
    package var secondOverrides: [String: PropertyList?] = [:]
    /// Nil for the authority's signer of second forms.
    package var secondSigner: SigningIdentity?

    package init(
        _ kind: Kind,
        devices: [String] = [],
        created: Date,
        expires: Date? = nil,
    ) {
        self.kind = kind
        self.devices = devices
        self.created = created
        self.expires = expires ?? created.addingYears(1)
    }

    /// The bundle that the profile is for, with the entitlements that it claims.
    package struct Subject: Sendable {
        package var bundleIdentifier: String
        package var entitlements: [String: PropertyList]

        package init(bundleIdentifier: String, entitlements: [String: PropertyList] = [:]) {
            self.bundleIdentifier = bundleIdentifier
            self.entitlements = entitlements
        }
    }

    /// The contents of `embedded.mobileprovision`: the property list in a signed message.
    package func bytes(for subject: Subject, by authority: SigningAuthority) throws -> [UInt8] {
        let signer = signer ?? authority.profileSigner
        var list = propertyList(for: subject, by: authority)
        if includesDERForm, case .dictionary(var entries) = list {
            let signer = CMSSigner(secondSigner ?? authority.secondProfileSigner, digest: .sha256)
            var second = entries
            for (key, value) in secondOverrides { second[key] = value }
            entries["DER-Encoded-Profile"] = .data(
                try signer.sign(try DERProfile.encoding(.dictionary(second)), at: created)
            )
            list = .dictionary(entries)
        }
        return try CMSSigner(signer, digest: digest).sign(list.xml(), at: created)
    }

    package func propertyList(for subject: Subject, by authority: SigningAuthority) -> PropertyList
    {
        let team = team ?? authority.team
        let prefix = prefix ?? team.identifier
        let pattern = pattern ?? subject.bundleIdentifier
        let certificates = certificates ?? [identity(of: authority).certificate]
        var entries: [String: PropertyList] = [
            "AppIDName": .string(
                pattern == "*" ? "XC Wildcard" : "XC " + pattern.replacing(".", with: " ")
            ),
            "ApplicationIdentifierPrefix": .array([.string(prefix)]),
            "CreationDate": .date(created),
            "DeveloperCertificates": .array(certificates.map { .data($0.der) }),
            "Entitlements": .dictionary(
                granted(subject, prefix: prefix, pattern: pattern, team: team)
            ),
            "ExpirationDate": .date(expires),
            "IsXcodeManaged": .boolean(isXcodeManaged),
            "Name": .string(name ?? "\(kind.label): \(pattern)"),
            "Platform": .array(platforms.map { .string($0) }),
            "TeamIdentifier": .array([.string(team.identifier)]),
            "TeamName": .string(team.name),
            "TimeToLive": .integer(Int64(expires.timeIntervalSince(created) / 86_400)),
            "UUID": .string(uuid ?? derivedUUID(prefix + pattern)),
            "Version": .integer(1),
        ]
        switch kind {
        case .development, .adHoc:
            entries["ProvisionedDevices"] = .array(devices.map { .string($0) })
        case .enterprise: entries["ProvisionsAllDevices"] = .boolean(true)
        case .appStore, .testFlight: break
        }
        for (key, value) in overrides { entries[key] = value }
        return .dictionary(entries)
    }

    /// The identity for signing code with a profile of this kind.
    package func identity(of authority: SigningAuthority) -> SigningIdentity {
        kind == .development ? authority.development : authority.distribution
    }

    private func granted(
        _ subject: Subject,
        prefix: String,
        pattern: String,
        team: DevelopmentTeam,
    ) -> [String: PropertyList] {
        var granted = subject.entitlements
        // A profile allows any domain; the app names the specific ones.
        if granted["com.apple.developer.associated-domains"] != nil {
            granted["com.apple.developer.associated-domains"] = .string("*")
        }
        granted["application-identifier"] = .string("\(prefix).\(pattern)")
        granted["com.apple.developer.team-identifier"] = .string(team.identifier)
        granted["get-task-allow"] = .boolean(kind == .development)
        granted["keychain-access-groups"] = .array([
            .string("\(prefix).*"), .string("com.apple.token"),
        ])
        if kind == .testFlight { granted["beta-reports-active"] = .boolean(true) }
        for (key, value) in entitlements { granted[key] = value }
        for key in withheld { granted[key] = nil }
        return granted
    }

    private func derivedUUID(_ identifier: String) -> String {
        let seed = "\(identifier) \(kind) \(created.timeIntervalSince1970) \(devices)"
        return SHA256Digest(of: Array(seed.utf8)).bytes.nameBasedUUID
    }
}

extension ProfileBuilder.Kind {
    var label: String {
        switch self {
        case .development: "iOS Team Provisioning Profile"
        case .adHoc: "iOS Team Ad Hoc Provisioning Profile"
        case .enterprise: "iOS Team Inhouse Provisioning Profile"
        case .appStore: "iOS Team Store Provisioning Profile"
        case .testFlight: "iOS Team TestFlight Provisioning Profile"
        }
    }
}

extension [UInt8] {
    /// The first sixteen bytes, marked as a version 3 UUID and formatted in lower case.
    var nameBasedUUID: String {
        var bytes = Array(prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x30
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Hex.encode(bytes)
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}
