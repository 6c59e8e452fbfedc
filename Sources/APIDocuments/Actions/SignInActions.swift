import Access

/// Shows the sign-in settings.
package struct ShowSignIn: Action {
    package typealias Answer = SignInDocument
    package static let route = ActionRoute(.get, "/sign-in", .everywhere(.admin))

    package init() {}
}

/// Replaces the sign-in settings.
package struct SetSignIn: Action {
    package typealias Answer = SignInDocument
    package static let route = ActionRoute(
        .put,
        "/sign-in",
        .everywhere(.admin),
        bodyLimit: 256 << 10,
    )

    package let content: NewSignIn

    package init(_ signIn: NewSignIn) {
        content = signIn
    }
}

/// Removes the sign-in settings, and ends the sessions of everyone who signed in with the provider.
package struct RemoveSignIn: Action {
    package typealias Answer = SignInDocument
    package static let route = ActionRoute(.delete, "/sign-in", .everywhere(.admin))

    package init() {}
}

/// Tests the sign-in settings by asking the provider for what a sign-in needs.
package struct TestSignIn: Action {
    package typealias Answer = TriedSignInDocument
    package static let route = ActionRoute(.post, "/sign-in/test", .everywhere(.admin))

    package init() {}
}

/// Lists the sessions of people.
package struct ListPersonSessions: Action {
    package typealias Answer = PersonSessionsDocument
    package static let route = ActionRoute(
        .get,
        "/sign-in/sessions",
        .everywhere(.admin),
        query: [.flag("admins")],
    )

    /// Whether to leave out the sessions of testers.
    package let admins: Bool

    package init(onlyOfAdmins: Bool = false) {
        admins = onlyOfAdmins
    }
}

/// Ends one or all sessions of a person.
package struct EndPersonSession: Action {
    package typealias Answer = EndedSessionDocument
    package static let route = ActionRoute(
        .delete,
        "/sign-in/sessions/{session}",
        .everywhere(.admin),
        query: [.flag("everywhere")],
    )

    package let session: String
    /// Whether to end all other sessions of the same person too.
    package let everywhere: Bool

    package init(_ session: String, isEverywhere: Bool = false) {
        self.session = session
        everywhere = isEverywhere
    }
}

extension NewSignIn: ActionContent {
    package static var keys: Set<String> {
        [
            "issuer", "clientId", "clientSecret", "publicClient", "name", "roleClaim", "roles",
            "testers", "scopes",
        ]
    }

    package static var innerKeys: [String: Set<String>] {
        [
            "roles": ["role", "app", "person", "claim"],
            "testers": ["group", "person", "claim"],
        ]
    }

    package var flaw: ContentFlaw? {
        clientSecret != nil && isPublicClient == true
            ? ContentFlaw(
                "a public client has no secret",
                fix: "send either clientSecret or publicClient",
            ) : nil
    }
}
