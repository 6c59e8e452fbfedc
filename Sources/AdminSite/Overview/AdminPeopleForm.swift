import APIDocuments
import Pages
import Problems
import SiteServices

/// Conversion between the sign-in form and its request.
extension NewSignIn {
    /// - Throws: `Problem` for a line that cannot be parsed.
    init(_ form: FormBody) throws {
        let roles =
            try form.lines("people").map { try Self.role($0, .person, "people") }
            + form.lines("roles").map { try Self.role($0, .claim, "roles") }
        self.init(
            issuer: form.text("issuer"),
            clientID: form.text("client"),
            roles: roles,
        )
        isPublicClient = form["public"] == nil ? nil : true
        let secret = form.text("secret")
        guard isPublicClient == nil || secret.isEmpty else {
            throw Problem(
                form: "secret",
                "a public client has no secret",
                fix: "leave the secret empty, or clear the checkbox",
            )
        }
        clientSecret = secret.isEmpty ? nil : secret
        name = form.text("name").isEmpty ? nil : form.text("name")
        roleClaim = form.text("claim").isEmpty ? nil : form.text("claim")
        let testers =
            try form.lines("testers").map { Tester(person: $0) }
            + form.lines("tester-people").map { try Self.tester($0, .person, "tester-people") }
            + form.lines("tester-groups").map { try Self.tester($0, .claim, "tester-groups") }
        self.testers = testers.isEmpty ? nil : testers
        let scopes = form.text("scopes").split { $0.isWhitespace }.map(String.init)
        self.scopes = scopes.isEmpty ? nil : scopes
    }

    private static func role(
        _ line: String,
        _ source: SignInSource,
        _ field: String,
    ) throws -> Role {
        guard let role = Role(line, by: source) else {
            throw Problem(form: field, "“\(line.prefix(100))” \(Role.kindOfText)")
        }
        return role
    }

    private static func tester(
        _ line: String,
        _ source: SignInSource,
        _ field: String,
    ) throws -> Tester {
        guard let tester = Tester(line, by: source) else {
            throw Problem(form: field, "“\(line.prefix(100))” \(Tester.kindOfText)")
        }
        return tester
    }
}

extension PeoplePage.Draft {
    /// Fills in the current settings.
    init(_ entry: SignInEntry) {
        self.init()
        issuer = entry.issuer
        clientID = entry.clientID
        isPublicClient = !entry.hasSecret
        hasSecret = entry.hasSecret
        // Without a name of its own, a provider is named after its issuer's host.
        name = entry.name.count <= 40 ? entry.name : ""
        roleClaim = entry.roleClaim ?? ""
        func lines(_ texts: [String]) -> String { texts.joined(separator: "\n") }
        people = lines(entry.roles.filter { $0.person != nil }.map(\.text))
        roles = lines(entry.roles.filter { $0.claim != nil }.map(\.text))
        testers = lines(entry.testers.filter { $0.person != nil && $0.group == nil }.map(\.text))
        testerPeople = lines(
            entry.testers.filter { $0.person != nil && $0.group != nil }.map(\.text)
        )
        testerGroups = lines(entry.testers.filter { $0.claim != nil }.map(\.text))
        scopes = entry.scopes.joined(separator: " ")
    }

    /// Fills in the form's input, without the secret.
    init(_ form: FormBody) {
        self.init()
        issuer = form.text("issuer")
        clientID = form.text("client")
        isPublicClient = form["public"] != nil
        name = form.text("name")
        roleClaim = form.text("claim")
        people = form["people"] ?? ""
        roles = form["roles"] ?? ""
        testers = form["testers"] ?? ""
        testerPeople = form["tester-people"] ?? ""
        testerGroups = form["tester-groups"] ?? ""
        scopes = form.text("scopes")
    }
}

extension FormBody {
    /// Returns a field without surrounding whitespace; empty if it is missing.
    fileprivate func text(_ name: String) -> String {
        (self[name] ?? "").trimmed
    }

    /// Returns the lines of a field that are not empty.
    fileprivate func lines(_ name: String) -> [String] {
        (self[name] ?? "").split(whereSeparator: \.isNewline)
            .map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
