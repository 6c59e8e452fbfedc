import Bytes
package import Identifiers

/// Whom of a provider's people the server takes for testers: one entry of the configuration.
package struct TesterGrant: Codable, Hashable, Sendable {
    /// How a grant knows those whom it is for.
    package enum Subject: Codable, Hashable, Sendable {
        /// All whom the provider signs in.
        case everyone
        /// Those with a verified address behind this host's `@`; lower case.
        case domain(String)
        /// One person, or those with a value of the claim.
        case known(RoleGrant.Subject)
    }

    /// The group of testers that they are members of; nil for none.
    package let group: GroupName?
    package let subject: Subject

    package init(in group: GroupName? = nil, to subject: Subject) {
        self.group = group
        self.subject = subject
    }

    /// Whom it is for, as people read it.
    package var words: String {
        if case .known(.claim(let value)) = subject { return "claim:" + value }
        return subject.listedText ?? ""
    }

    /// Whether it is for this person.
    package func applies(to person: Person) -> Bool {
        switch subject {
        case .everyone: true
        case .domain(let host): person.verifiedEmail?.isAddress(at: host) ?? false
        case .known(let subject): subject.names(person)
        }
    }
}

extension TesterGrant.Subject {
    /// Reads who a grant is for, as people write it: `everyone`, `@example.com`, an address, or `sub:` and
    /// what the provider calls the person.
    ///
    /// - Returns: nil for anything else.
    package init?(listed text: String) {
        if text == "everyone" {
            self = .everyone
        } else if text.hasBytes(first: "@") {
            // The same rules as for the host of an address.
            guard case .email(let address)? = RoleGrant.Subject(listed: "a" + text) else {
                return nil
            }
            self = .domain(String(address.dropFirst(2)))
        } else {
            guard let known = RoleGrant.Subject(listed: text) else { return nil }
            self = .known(known)
        }
    }

    /// As people write it; nil for a value of the claim.
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

/// What a person may see who has signed in as a tester.
package struct TesterRight: Equatable, Sendable {
    /// As the activity names the person.
    package let name: String
    /// The groups of testers that the person is a member of because of the provider.
    package let groups: Set<GroupName>

    /// - Parameters:
    ///   - name: as the activity names the person.
    ///   - groups: the groups that the person is a member of.
    package init(name: String, groups: Set<GroupName>) {
        self.name = name
        self.groups = groups
    }
}

extension SignInSettings {
    /// What a person may see as a tester, as the settings are now; nil for someone who is none.
    package func testerRight(of person: Person) -> TesterRight? {
        guard person.issuer == issuer else { return nil }
        let found = (testers ?? []).filter { $0.applies(to: person) }
        guard !found.isEmpty else { return nil }
        return TesterRight(name: person.shownName, groups: Set(found.compactMap(\.group)))
    }
}

extension String {
    /// Whether it is an address with one `@`, behind which this host stands.
    fileprivate func isAddress(at host: String) -> Bool {
        let parts = split(atByte: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && String(parts[1]).isBytes(of: host)
    }
}
