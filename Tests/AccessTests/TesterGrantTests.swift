import Access
import Foundation
import Identifiers
import Testing

/// Which of a provider's people are testers according to the settings.
struct TesterGrantTests {
    private static func person(
        _ email: String? = "Ana@Example.com",
        isVerified: Bool = true,
        issuer: String = "https://id.example.com",
        values: [String] = [],
    ) throws -> Person {
        Person(
            issuer: try #require(IssuerURL(issuer)),
            subject: "7",
            email: email,
            isEmailVerified: isVerified,
            roleValues: values,
        )
    }

    private static func right(_ grants: [TesterGrant], _ person: Person) throws -> TesterRight? {
        SignInSettings(
            issuer: try #require(IssuerURL("https://id.example.com")),
            clientID: "ota",
            clientSecret: nil,
            name: "ID",
            roleClaim: "groups",
            grants: [],
            testers: grants,
            scopes: [],
            changed: Date(timeIntervalSince1970: 0),
        ).testerRight(of: person)
    }

    @Test(arguments: ["everyone", "@example.com", "ana@example.com", "sub:7"])
    func `a grant is read as people write it, and is for Ana`(text: String) throws {
        let subject = try #require(TesterGrant.Subject(listed: text))
        #expect(subject.listedText == text)
        #expect(try Self.right([TesterGrant(to: subject)], Self.person()) != nil)
        #expect(
            try Self.right([TesterGrant(to: subject)], Self.person(issuer: "https://x")) == nil
        )
    }

    @Test(arguments: ["", "@", "all", "example.com", "a@b@c", "@a@b", "sub:", "@ex ample.com"])
    func `nothing else is one`(text: String) {
        #expect(TesterGrant.Subject(listed: text) == nil)
    }

    @Test func `a host is the whole of what stands behind a verified address`() throws {
        let grant = [TesterGrant(to: try #require(TesterGrant.Subject(listed: "@Example.com")))]
        #expect(try Self.right(grant, Self.person()) != nil)
        #expect(try Self.right(grant, Self.person(isVerified: false)) == nil)
        #expect(try Self.right(grant, Self.person(nil)) == nil)
        for email in [
            "ana@sub.example.com", "ana@evilexample.com", "ana@example.com.evil", "a@b@example.com",
        ] {
            #expect(try Self.right(grant, Self.person(email)) == nil, "\(email)")
        }
    }

    @Test func `groups are those of every grant that applies`() throws {
        let (qa, beta) = (try #require(GroupName("qa")), try #require(GroupName("beta")))
        let grants = [
            TesterGrant(in: qa, to: .known(.claim("mobile"))),
            TesterGrant(in: beta, to: .known(.email("ana@example.com"))),
        ]
        #expect(try Self.right(grants, Self.person(values: ["mobile"]))?.groups == [qa, beta])
        #expect(try Self.right(grants, Self.person())?.groups == [beta])
        #expect(try Self.right(grants, Self.person(nil)) == nil)
    }

    @Test func `sessions of one person are known by their names, and no admin’s is among them`()
        throws
    {
        let ana = try Self.person()
        let bea = Person(issuer: ana.issuer, subject: "8")
        let one = PersonSession.testerIdentifier(of: ana, random: [1, 2, 3, 4, 5, 6, 7, 8])
        let two = PersonSession.testerIdentifier(of: ana, random: [8, 7, 6, 5, 4, 3, 2, 1])
        let other = PersonSession.testerIdentifier(of: bea, random: [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(one != two && PersonSession.isOfOneTester(one, two))
        #expect(!PersonSession.isOfOneTester(one, other))
        #expect(!PersonSession.isOfTester(String(one.dropFirst())))
        let session = PersonSession(
            identifier: one,
            for: .tester,
            origin: .provider(ana, clientID: "ota"),
            lifetime: 60,
            at: Date(timeIntervalSince1970: 0),
        )
        #expect(session.principal(under: nil, at: Date(timeIntervalSince1970: 1)) == nil)
    }
}
