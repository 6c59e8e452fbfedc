import Bytes
package import Identifiers

/// Lets people of a provider sign in as testers: one entry of the configuration.
package struct TesterGrant: Codable, Hashable, Sendable {
    /// Whom a grant is for.
    package enum Subject: Codable, Hashable, Sendable {
        /// Everyone who signs in at the provider.
        case everyone
        /// People with a verified e-mail address at this domain; in lower case.
        case domain(String)
        /// One person, or the people with a value of the claim.
        case known(RoleGrant.Subject)
    }

    /// The group of testers that they belong to; nil for none.
    package let group: GroupName?
    package let subject: Subject

    package init(in group: GroupName? = nil, to subject: Subject) {
        self.group = group
        self.subject = subject
    }

    /// Whom the grant is for, for display.
    package var words: String {
        if case .known(.claim(let value)) = subject { return "claim:" + value }
        return subject.listedText ?? ""
    }

    /// Whether the grant is for this person.
    package func applies(to person: Person) -> Bool {
        switch subject {
        case .everyone: true
        case .domain(let host): person.verifiedEmail?.isAddress(at: host) ?? false
        case .known(let subject): subject.names(person)
        }
    }
}

extension TesterGrant.Subject {
    /// Parses whom a grant is for, as people write it: `everyone`, `@example.com`, an e-mail address, or
    /// `sub:` and the provider's identifier.
    ///
    /// - Returns: nil for anything else.
    package init?(listed text: String) {
        if text == "everyone" {
            self = .everyone
        } else if text.hasBytes(first: "@") {
            // The same rules as for the domain of an e-mail address.
            guard case .email(let address)? = RoleGrant.Subject(listed: "a" + text) else {
                return nil
            }
            self = .domain(String(address.dropFirst(2)))
        } else {
            guard let known = RoleGrant.Subject(listed: text) else { return nil }
            self = .known(known)
        }
    }

    /// The text as people write it; nil for a value of the claim.
    package var listedText: String? {
        switch self {
        case .everyone: "everyone"
        case .domain(let host): "@" + host
        case .known(.email(let email)): email
        case .known(.subject(let subject)): "sub:" + subject
        case .known(.claim): nil
        }
    }
}

/// What a person who has signed in as a tester may see.
package struct TesterRight: Equatable, Sendable {
    /// The person's name in the activity.
    package let name: String
    /// The groups of testers to which the person belongs according to the provider.
    package let groups: Set<GroupName>

    /// - Parameters:
    ///   - name: the person's name in the activity.
    ///   - groups: the groups to which the person belongs.
    package init(name: String, groups: Set<GroupName>) {
        self.name = name
        self.groups = groups
    }
}

extension SignInSettings {
    /// What a person may see as a tester, according to the current settings; nil if the person is not a
    /// tester.
    package func testerRight(of person: Person) -> TesterRight? {
        guard person.issuer == issuer else { return nil }
        let found = (testers ?? []).filter { $0.applies(to: person) }
        guard !found.isEmpty else { return nil }
        return TesterRight(name: person.shownName, groups: Set(found.compactMap(\.group)))
    }
}

extension String {
    /// Whether the text is an e-mail address with a single `@`, followed by this host.
    fileprivate func isAddress(at host: String) -> Bool {
        let parts = split(atByte: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && String(parts[1]).isBytes(of: host)
    }
}
