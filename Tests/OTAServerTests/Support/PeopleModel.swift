/// The provider's people: the rights that the server grants them, and for how long.
struct PeopleModel {
    /// To whom an entry of the settings applies.
    enum Subject: Hashable {
        case everyone
        /// Those whose address has this host.
        case host(String)
        case address(Int)
        case subject(Int)
        /// Those with this value in the claim.
        case value(String)
    }

    enum Role: Int { case viewer, publisher, admin }

    /// A person's right; for all apps if the app is nil.
    struct Right: Hashable {
        let role: Role
        let app: Int?
    }

    /// What the provider knows about a person.
    struct Facts: Equatable {
        var values: Set<String> = []
        var isVerified = true
    }

    struct Person {
        let host: String
        var facts = Facts()
        /// Whether the provider lets them sign in.
        var isActive = true
        /// Whether it issues refresh tokens for them.
        var isRefreshed = true
    }

    struct Session {
        let person: Int
        let isTester: Bool
        let opened: Int
        /// Whether the provider issued a refresh token.
        let isRefreshed: Bool
        var facts: Facts
        /// When the provider last confirmed it.
        var confirmed: Int
        /// When the provider was last asked without having answered yet.
        var asked: Int?
        var isOpen = true
    }

    struct Token {
        let right: Right
        let end: Int
        var isRevoked = false
    }

    var people: [Person] = []
    var roles: [(right: Right, to: Subject)] = []
    var testers: [(group: String?, to: Subject)] = []
    /// Whether the provider is reachable.
    var isReachable = true
    var sessions: [Session] = []
    var tokens: [Token] = []

    private static let hour = 3600
    private static let minute = 60

    // MARK: What they may

    private func applies(_ subject: Subject, to person: Int, _ facts: Facts) -> Bool {
        switch subject {
        case .everyone: true
        case .host(let host): facts.isVerified && people[person].host == host
        case .address(let number): facts.isVerified && number == person
        case .subject(let number): number == person
        case .value(let value): facts.values.contains(value)
        }
    }

    private func rights(of person: Int, _ facts: Facts) -> Set<Right> {
        Set(roles.filter { applies($0.to, to: person, facts) }.map(\.right))
    }

    /// The groups that a person's claims grant; nil for someone who is no tester.
    private func groups(of person: Int, _ facts: Facts) -> Set<String>? {
        let found = testers.filter { applies($0.to, to: person, facts) }
        return found.isEmpty ? nil : Set(found.compactMap(\.group))
    }

    var namedGroups: Set<String> { Set(testers.compactMap(\.group)) }

    // MARK: Sessions

    /// Signs a person in.
    ///
    /// - Returns: whether a session was opened.
    mutating func signIn(_ person: Int, asTester isTester: Bool, at now: Int) -> Bool {
        let known = people[person]
        let hasRight =
            isTester
            ? groups(of: person, known.facts) != nil : !rights(of: person, known.facts).isEmpty
        guard isReachable, known.isActive, hasRight else { return false }
        sessions.append(
            Session(
                person: person,
                isTester: isTester,
                opened: now,
                isRefreshed: known.isRefreshed,
                facts: known.facts,
                confirmed: now,
            )
        )
        return true
    }

    /// The rights of an admin's session now; empty if it is invalid.
    mutating func rights(in number: Int, at now: Int) -> Set<Right> {
        use(number, at: now) { $0.rights(of: $1.person, $1.facts) } ?? []
    }

    /// The groups of a tester's session; nil if it is invalid.
    mutating func tester(in number: Int, at now: Int) -> Set<String>? {
        use(number, at: now) { $0.groups(of: $1.person, $1.facts) }
    }

    func isLive(_ number: Int, at now: Int) -> Bool {
        sessions[number].isOpen && now < end(of: sessions[number])
    }

    /// Whether a session whose cookie the browser still has is expired, so that the provider is asked
    /// silently for a new one.
    func isRenewed(_ number: Int, at now: Int) -> Bool {
        let over = now - end(of: sessions[number])
        return !testers.isEmpty && (0..<12 * Self.hour).contains(over)
    }

    mutating func end(_ number: Int) { sessions[number].isOpen = false }

    /// Ends all sessions of a person.
    mutating func endAll(of person: Int) {
        for number in sessions.indices where sessions[number].person == person { end(number) }
    }

    /// Asks the provider if that is due, and ends sessions without rights.
    private mutating func use<Value: Collection>(
        _ number: Int,
        at now: Int,
        _ judge: (PeopleModel, Session) -> Value?,
    ) -> Value? {
        guard isLive(number, at: now) else { return nil }
        ask(about: number, at: now)
        let session = sessions[number]
        guard session.isOpen else { return nil }
        let isOverdue = session.isRefreshed && now - session.confirmed >= 40 * Self.minute
        // An unreachable provider has not decided, and may answer later.
        if isOverdue { return nil }
        let right = judge(self, session)
        // A tester without groups is still a tester; an admin without a right is not an admin.
        guard let right, session.isTester || !right.isEmpty else {
            end(number)
            return nil
        }
        return right
    }

    private mutating func ask(about number: Int, at now: Int) {
        let session = sessions[number]
        guard session.isRefreshed, now - session.confirmed >= 10 * Self.minute else { return }
        // For half a minute, no other request asks.
        if let asked = session.asked, now - asked < 30 { return }
        sessions[number].asked = now
        guard isReachable else { return }
        let person = people[session.person]
        guard person.isActive else { return end(number) }
        sessions[number].facts = person.facts
        (sessions[number].confirmed, sessions[number].asked) = (now, nil)
    }

    private func end(of session: Session) -> Int {
        session.opened + (session.isRefreshed ? 12 : 1) * Self.hour
    }

    // MARK: Tokens

    func rights(ofToken number: Int, at now: Int) -> Set<Right> {
        let token = tokens[number]
        return token.isRevoked || now >= token.end ? [] : [token.right]
    }
}

extension Set<PeopleModel.Right> {
    /// Whether one of them grants its holder a role, on an app or on all.
    func allow(_ role: PeopleModel.Role, on app: Int? = nil) -> Bool {
        contains { right in
            right.role.rawValue >= role.rawValue && (right.app == nil || right.app == app)
        }
    }
}
