import APIDocuments
import Access
import Administration
import Foundation
import Releases
import Store
import Testing

struct TokenActionTests {
    @Test func `a token is made for an app by its slug, and revoked`() async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            let new = NewToken(name: "ci", scopes: ["publish:forks", "read"])
            let (token, secret) = try office.ada.createToken(new)
            #expect(token.scopes == [Scope(.publish, app: app.bundleIdentifier), Scope(.read)])
            let holder = try office.store.tokens().principal(showing: secret.text, at: Office.date)
            #expect(holder.name == "ci")
            #expect(throws: TokenRefusal.nameTaken("ci")) { try office.ada.createToken(new) }
            #expect(try office.ada.revokeToken("ci").revoked == Office.date)
            #expect(throws: TokenRefusal.unknown) { try office.ada.revokeToken("ci") }
            #expect(throws: TokenRefusal.revoked(name: "ci")) {
                try office.store.tokens().principal(showing: secret.text, at: Office.date)
            }
            #expect(
                try office.journal() == ["tokenRevoked ci", "tokenCreated ci", "published 1.1-1"]
            )
        }
    }

    @Test(arguments: ["publish:", "admin:forks", "admin:com.example.forks", "write", ""])
    func `a scope that means nothing is named`(scope: String) async throws {
        try await Office.open { office in
            _ = try office.publish()
            #expect(throws: AdministrationRefusal.badScope(scope)) {
                try office.ada.createToken(NewToken(name: "ci", scopes: [scope]))
            }
            #expect(try office.store.tokens().tokens.isEmpty)
        }
    }

    @Test func `an app that is not there yet is named, and how to name it`() async throws {
        try await Office.open { office in
            _ = try office.publish()
            let refusal = AdministrationRefusal.noAppForScope("knives", action: "publish")
            #expect(throws: refusal) {
                try office.ada.createToken(NewToken(name: "ci", scopes: ["publish:knives"]))
            }
            #expect(refusal.fix.contains("publish:com.example.app"))
            #expect(try office.store.tokens().tokens.isEmpty)
        }
    }

    @Test func `no scope, and an end in the past, are refused`() async throws {
        try await Office.open { office in
            #expect(throws: TokenRefusal.noScope) {
                try office.ada.createToken(NewToken(name: "ci", scopes: []))
            }
            #expect(throws: TokenRefusal.endsInThePast(Office.date)) {
                try office.ada.createToken(
                    NewToken(name: "ci", scopes: ["read"], expires: Office.date)
                )
            }
        }
    }
}
