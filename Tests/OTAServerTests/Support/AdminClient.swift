import Access
import Cryptography
import Foundation
import Releases
import Store
import Testing

/// A browser in which an admin is signed in.
struct AdminClient {
    let site: TestSite
    let cookie: String

    /// Takes the session from the response to a sign-in.
    init(_ site: TestSite, after answer: WireResponse) throws {
        self.site = site
        let field = try #require(answer.fields["set-cookie"])
        cookie = String(field.dropFirst("__Host-ota_admin=".count).prefix { $0 != ";" })
    }

    /// Creates a token and signs in with it.
    static func admin(_ site: TestSite, _ scopes: Scope...) async throws -> AdminClient {
        let token = try token(in: site.store, scopes.isEmpty ? [Scope(.admin)] : scopes)
        return try AdminClient(site, after: await signIn(site, with: token))
    }

    /// The secret of a new token; the first one is named `root0`.
    static func token(in store: OTAStore, _ scopes: [Scope] = [Scope(.admin)]) throws -> String {
        var text = ""
        try store.changeTokens { register in
            text = try register.create(
                name: "root\(register.tokens.count)",
                scopes: scopes,
                expires: nil,
                at: Date(),
                random: randomBytes,
            ).secret.text
        }
        return text
    }

    static func signIn(
        _ site: TestSite,
        with token: String,
        to path: String = "",
        fields: [String: String] = [:],
    ) async throws -> WireResponse {
        try await post(site, "/admin/sign-in", ["token": token, "to": path], fields)
    }

    func get(_ path: String) async throws -> WireResponse {
        try await WireClient.get(site, path, fields: ["Cookie": "__Host-ota_admin=\(cookie)"])
    }

    func post(
        _ path: String,
        _ form: [String: String],
        fields: [String: String] = [:],
    ) async throws -> WireResponse {
        let cookie = ["Cookie": "__Host-ota_admin=\(cookie)"]
        return try await Self.post(site, path, form, cookie.merging(fields) { $1 })
    }

    /// Sends a form with the session's code.
    func send(_ path: String, _ form: [String: String] = [:]) async throws -> WireResponse {
        try await post(path, form.merging(["form": formCode()]) { $1 })
    }

    /// The page to which an action redirects.
    func shown(after answer: WireResponse) async throws -> WireResponse {
        #expect(answer.status == 303)
        return try await get(try #require(answer.fields["location"]))
    }

    /// The flash message of an action, from the page after it.
    func flash(by answer: WireResponse) async throws -> String {
        let flash = try #require(answer.fields["set-cookie"]).prefix { $0 != ";" }
        let page = try await WireClient.get(
            site,
            try #require(answer.fields["location"]),
            fields: ["Cookie": "__Host-ota_admin=\(cookie); \(flash)"],
        )
        #expect(page.fields["set-cookie"]?.hasPrefix("__Host-ota_flash=; Max-Age=0") == true)
        return page.text
    }

    func formCode() async throws -> String {
        let page = try await get("/admin").text
        let start = try #require(page.range(of: "name=\"form\" value=\"")).upperBound
        return String(page[start...].prefix { $0 != "\"" })
    }

    private static func post(
        _ site: TestSite,
        _ path: String,
        _ form: [String: String],
        _ fields: [String: String],
    ) async throws -> WireResponse {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let body = form.map { name, value in
            "\(name)=" + (value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
        }.joined(separator: "&")
        return try await WireClient.secure(site) { client in
            var head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
            for (name, value) in fields { head += "\(name): \(value)\r\n" }
            if fields["Content-Type"] == nil {
                head += "Content-Type: application/x-www-form-urlencoded\r\n"
            }
            try await client.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
            return try await client.response()
        }
    }
}
