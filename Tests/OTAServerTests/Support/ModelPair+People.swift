import APIDocuments
import Access
import Administration
import Bytes
import Foundation
import HTTPCalling
import Identifiers
import OTAServer
import OpenID
import Releases
import Store
import Testing

/// Steps of the provider's people: their claims, the settings' grants to them, and their sessions.
extension ModelPair {
    /// The maximum of concurrent sessions; one more ends the oldest.
    private static let mostSessions = 12
    /// The maximum of concurrent tokens.
    private static let mostTokens = 6

    private func address(_ person: Int) -> String {
        "p\(person)@" + model.people.people[person].host
    }

    /// Makes the provider return the model's facts about people.
    func tellProvider(refreshing token: String? = nil) {
        var behaviour = StandInProvider.Behaviour()
        behaviour.refreshToken = token
        let people = model.people.people
        let addresses = people.indices.map(address)
        behaviour.person = { form in
            guard let number = people.indices.first(where: { form.contains("=p\($0)-") }),
                people[number].isActive
            else { return nil }
            let facts = people[number].facts
            return [
                "sub": .text("p\(number)"), "email": .text(addresses[number]),
                "email_verified": .boolean(facts.isVerified), "name": .text("Person \(number)"),
                "groups": .list(facts.values.sorted().map { .text($0) }),
            ]
        }
        if !model.people.isReachable {
            behaviour.troubles["token"] = .unreachable(reason: "connection refused")
        }
        provider.behaviour = behaviour
    }

    mutating func stepAtProvider() throws -> String {
        defer { tellProvider() }
        let person = pick(below: Self.personCount)
        switch pick(below: 12) {
        case 0..<4:
            let value = pick(Self.values)
            let values = model.people.people[person].facts.values.symmetricDifference([value])
            model.people.people[person].facts.values = values
            return "person \(person) has \(values.sorted())"
        case 4:
            model.people.people[person].isActive.toggle()
            return "person \(person) is or is not let in"
        case 5:
            model.people.people[person].facts.isVerified.toggle()
            return "address of \(person)"
        case 6:
            model.people.people[person].isRefreshed.toggle()
            return "refresh tokens of \(person)"
        case 7:
            model.people.isReachable.toggle()
            return "the provider answers: \(model.people.isReachable)"
        case 8..<9 where !model.people.isReachable:
            model.people.isReachable = true
            return "the provider answers again"
        default: return try stepOfSettings()
        }
    }

    private mutating func stepOfSettings() throws -> String {
        let roles = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let role = pick([PeopleModel.Role.viewer, .publisher, .admin])
            let app: Int? =
                role == .admin || pick(below: 3) == 0 ? nil : pick(below: apps.count)
            return (right: PeopleModel.Right(role: role, app: app), to: pickSubject(3))
        }
        let testers = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (group: pick(below: 3) == 0 ? nil : pick(Self.groups), to: pickSubject(5))
        }
        try set(roles: roles, testers: testers)
        return "settings: \(roles), \(testers)"
    }

    private mutating func pickSubject(_ kinds: Int) -> PeopleModel.Subject {
        switch pick(below: kinds) {
        case 0: .value(pick(Self.values))
        case 1: .address(pick(below: Self.personCount))
        case 2: .subject(pick(below: Self.personCount))
        case 3: .host("example.com")
        default: .everyone
        }
    }

    /// Sets up sign-in, as `ota sign-in set` does.
    mutating func set(
        roles: [(right: PeopleModel.Right, to: PeopleModel.Subject)],
        testers: [(group: String?, to: PeopleModel.Subject)],
    ) throws {
        let addresses = model.people.people.indices.map(address)
        let names: [Access.Role] = [.viewer, .publisher, .admin]
        func named(_ subject: PeopleModel.Subject) -> (String?, String?) {
            switch subject {
            case .everyone: ("everyone", nil)
            case .host(let host): ("@" + host, nil)
            case .address(let number): (addresses[number], nil)
            case .subject(let number): ("sub:p\(number)", nil)
            case .value(let value): (nil, value)
            }
        }
        var new = NewSignIn(
            issuer: StandInProvider.issuer,
            clientID: StandInProvider.client,
            roles: roles.map { role in
                let (person, claim) = named(role.to)
                return NewSignIn.Role(
                    role: names[role.right.role.rawValue],
                    app: role.right.app.map { apps[$0].rawValue },
                    person: person,
                    claim: claim,
                )
            },
        )
        new.clientSecret = "secret"
        new.roleClaim = "groups"
        new.testers = testers.map { tester in
            let (person, claim) = named(tester.to)
            return NewSignIn.Tester(
                group: tester.group.flatMap { GroupName($0) },
                person: person,
                claim: claim,
            )
        }
        let isKnown = testers.allSatisfy { tester in
            tester.group.map { model.groups[$0] != nil } ?? true
        }
        if isKnown { (model.people.roles, model.people.testers) = (roles, testers) }
        let content = new
        agree(isKnown) { try LocalAdministration(admin).perform(SetSignIn(content)) }
    }

    // MARK: Sessions

    mutating func stepOfSessions(_ client: WireClient) async throws -> String {
        switch pick(below: 12) {
        case 0..<7: return try await signIn(client)
        case 7: return try makeToken()
        case 8:
            guard let number = pickToken() else { return "nothing" }
            try revokeToken(number)
            return "revoke token \(number)"
        case 9: return try await announceLogout(client)
        default: return try await signOut(client)
        }
    }

    private mutating func signIn(_ client: WireClient) async throws -> String {
        let person = pick(below: Self.personCount)
        let isTester = pick([true, false])
        let known = model.people.people[person]
        tellProvider(refreshing: known.isRefreshed ? "p\(person)-r" : nil)
        let start = try await client.request(
            "GET",
            isTester ? "/sign-in/testers?to=%2F" : "/sign-in",
        )
        let begun = PeopleClient(site: site, provider: provider).begun(by: start)
        let said = known.isActive ? "code=p\(person)-c" : "error=access_denied"
        let answer = try await client.request(
            "GET",
            "/sign-in/callback?\(said)&state=\(begun.state)",
            ["Cookie": begun.cookie],
        )
        tellProvider()
        let field = answer.fields["set-cookie"] ?? ""
        let cookie = String(field.prefix { $0 != ";" })
        let name = isTester ? "__Host-ota_tester=" : "__Host-ota_admin="
        let isIn = cookie.hasPrefix(name) && cookie.count > name.count
        let isDone = model.people.signIn(person, asTester: isTester, at: model.now)
        #expect(isIn == isDone, "\(answer.status) for person \(person)")
        guard isIn, isDone else { return "person \(person) is refused" }
        let value = cookie.dropFirst(name.count)
        let session = try #require(sessions.session(value, at: site.clock.now))
        held.append(Held(cookie: cookie, identifier: session.subject))
        if held.count > Self.mostSessions {
            let oldest = held.count - 1 - Self.mostSessions
            _ = try site.store.endPersonSession(held[oldest].identifier)
            model.people.end(oldest)
        }
        seen["signed in", default: 0] += 1
        return "person \(person) signs in \(isTester ? "as a tester" : "")"
    }

    /// A random session of a tester or an admin, possibly an ended one.
    mutating func pickSession(ofTester isTester: Bool) -> Int? {
        held.indices.suffix(Self.mostSessions)
            .filter { model.people.sessions[$0].isTester == isTester }
            .randomElement(using: &random)
    }

    private mutating func signOut(_ client: WireClient) async throws -> String {
        let isTester = pick([true, false])
        guard let number = pickSession(ofTester: isTester) else { return "nothing" }
        let person = model.people.sessions[number].person
        let way = pick(below: 4)
        if way == 0 {
            guard model.people.isLive(number, at: model.now) else { return "nothing" }
            let isEverywhere = pick([true, false])
            let end = EndPersonSession(held[number].identifier, isEverywhere: isEverywhere)
            if isEverywhere { model.people.endAll(of: person) } else { model.people.end(number) }
            _ = try LocalAdministration(admin).perform(end)
            return "an admin ends \(number)"
        }
        if isTester {
            _ = try await client.post(
                "/sign-out",
                [:],
                ["Cookie": held[number].cookie, "Sec-Fetch-Site": "same-origin"],
            )
            model.people.end(number)
            return "tester \(person) signs out"
        }
        guard !model.people.rights(in: number, at: model.now).isEmpty else { return "nothing" }
        let path = way == 1 ? "/admin/sign-out-everywhere" : "/admin/sign-out"
        let answer = try await client.post(
            path,
            ["form": formCode(of: number)],
            ["Cookie": held[number].cookie],
        )
        #expect(answer.status < 400, "\(answer.status)")
        if way == 1 { model.people.endAll(of: person) } else { model.people.end(number) }
        return "admin \(person) signs out by \(path)"
    }

    private mutating func announceLogout(_ client: WireClient) async throws -> String {
        let person = pick(below: Self.personCount)
        let token = provider.logoutToken {
            $0["sub"] = .text("p\(person)")
            $0["sid"] = nil
        }
        let answer = try await client.post(
            "/sign-in/back-channel-logout",
            ["logout_token": token],
        )
        #expect(answer.status == 200)
        model.people.endAll(of: person)
        return "the provider signs \(person) out"
    }

    func formCode(of number: Int) -> String {
        let value = held[number].cookie.drop { $0 != "=" }.dropFirst()
        return sessions.session(value, at: site.clock.now).map { sessions.formCode(for: $0) } ?? ""
    }

    // MARK: Tokens

    private mutating func makeToken() throws -> String {
        let role = pick([PeopleModel.Role.viewer, .publisher, .admin])
        let app: Int? = role == .admin || pick(below: 2) == 0 ? nil : pick(below: apps.count)
        let scope = ["read", "publish", "admin"][role.rawValue]
        let end = model.now + pick([3_600, Self.day, 30 * Self.day])
        let made = try admin.createToken(
            NewToken(
                name: "token-\(secrets.count)",
                scopes: [scope + (app.map { ":" + apps[$0].rawValue } ?? "")],
                expires: Date(timeIntervalSince1970: Double(end)),
            )
        )
        secrets.append((made.token.identifier, made.secret.text))
        let right = PeopleModel.Right(role: role, app: app)
        model.people.tokens.append(PeopleModel.Token(right: right, end: end))
        if secrets.count > Self.mostTokens { try revokeToken(secrets.count - 1 - Self.mostTokens) }
        return "token \(scope) of \(app ?? -1)"
    }

    private mutating func revokeToken(_ number: Int) throws {
        model.people.tokens[number].isRevoked = true
        _ = try? LocalAdministration(admin).perform(RevokeToken(secrets[number].name))
    }

    mutating func pickToken() -> Int? {
        secrets.indices.suffix(Self.mostTokens).randomElement(using: &random)
    }
}
