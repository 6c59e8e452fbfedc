import Access
import Administration
import Bytes
import Foundation
import Identifiers
import OTAServer
import Releases
import Sample
import Store
import Testing

/// A team's server with its people and phones, which all connect over the network.
struct TeamOffice {
    /// A person whom the provider knows.
    struct Colleague: Sendable {
        let address: String
        var values: Set<String> = []
    }

    /// A phone with the browser in which it enrolled.
    struct Phone {
        let device: SampleDevice
        let udid: DeviceUDID
        var cookie = ""
    }

    let site: TestSite
    let provider: StandInProvider
    let client: WireClient
    var colleagues: [String: Colleague]
    var phones: [Phone]

    init(
        _ site: TestSite,
        _ provider: StandInProvider,
        _ client: WireClient,
        colleagues: [String: Colleague],
        phones count: Int,
    ) throws {
        self.site = site
        self.provider = provider
        self.client = client
        self.colleagues = colleagues
        phones = try SampleDevices.list(count).map { text in
            Phone(
                device: try SampleDevice(
                    certifiedBy: TestSite.deviceAuthority.get(),
                    udid: text,
                ),
                udid: try #require(DeviceUDID(text)),
            )
        }
        tellProvider()
    }

    /// Makes the provider return the right person.
    func tellProvider(refreshing name: String? = nil) {
        var behaviour = StandInProvider.Behaviour()
        behaviour.refreshToken = name.map { $0 + "-r" }
        let colleagues = colleagues
        behaviour.person = { form in
            colleagues.first { form.contains("=\($0.key)-") }.map { name, colleague in
                [
                    "sub": .text(name), "email": .text(colleague.address),
                    "name": .text(name),
                    "groups": .list(colleague.values.sorted().map { .text($0) }),
                ]
            }
        }
        provider.behaviour = behaviour
    }

    /// Signs a person in, with the provider's refresh token.
    ///
    /// - Returns: the `Cookie` field.
    func signIn(_ name: String, asTester isTester: Bool = false) async throws -> String {
        tellProvider(refreshing: name)
        let path = isTester ? "/sign-in/testers?to=%2F" : "/sign-in"
        let start = try await client.request("GET", path)
        let begun = PeopleClient(site: site, provider: provider).begun(by: start)
        let answer = try await client.request(
            "GET",
            "/sign-in/callback?code=\(name)-c&state=\(begun.state)",
            ["Cookie": begun.cookie],
        )
        #expect(answer.status == (isTester ? 303 : 200), "\(name): \(answer.status)")
        return String((answer.fields["set-cookie"] ?? "").prefix { $0 != ";" })
    }

    func get(_ path: String, _ cookie: String) async throws -> WireResponse {
        var fields = ["User-Agent": TestTester.agent]
        if !cookie.isEmpty { fields["Cookie"] = cookie }
        return try await client.request("GET", path, fields)
    }

    /// Sends a form of the admin's pages.
    func send(
        _ path: String,
        _ form: [String: String] = [:],
        by cookie: String,
    ) async throws -> WireResponse {
        let sessions = SessionAuthority(key: try site.store.sessionKey())
        let value = cookie.drop { $0 != "=" }.dropFirst()
        let code = sessions.session(value, at: site.clock.now).map { sessions.formCode(for: $0) }
        let answer = try await client.post(
            path,
            form.merging(["form": code ?? ""]) { $1 },
            ["Cookie": cookie],
        )
        site.settle()
        return answer
    }

    /// The page that shows a secret once: a token, or the link of a poster.
    func secret(after answer: WireResponse, by cookie: String) async throws -> WireResponse {
        #expect(answer.status == 303, "\(answer.status)")
        return try await get(try #require(answer.fields["location"]), cookie)
    }

    func call(
        _ method: String,
        _ path: String,
        _ body: String,
        token: String,
    ) async throws -> Int {
        let answer = try await client.send(
            method,
            "/api/v1" + path,
            body,
            ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
        )
        site.settle()
        return answer.status
    }

    /// Enrols a phone by the link of a poster, as its owner does.
    mutating func join(_ number: Int, by path: String) async throws {
        let page = try await client.request(
            "GET",
            path + "/profile.mobileconfig?name=Phone%20\(number)",
        )
        #expect(page.status == 200)
        let answer = try phones[number].device.answer(
            challenge: site.challenge(in: page.body, for: path)
        )
        try await client.send(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/pkcs7-signature\r\n"
                + "Content-Length: \(answer.count)\r\n\r\n"
        )
        try await client.send(answer)
        let result = try await client.response()
        #expect(result.status == 301)
        // The browser opens the result, and gets its cookie.
        let opened = try await get(try result.location(), "")
        let field = opened.fields["set-cookie"] ?? ""
        phones[number].cookie = String(field.prefix { $0 != ";" })
        #expect(phones[number].cookie.hasPrefix("__Host-ota_device="), "\(opened.status)")
        site.settle()
    }

    func reference(to phone: Int) throws -> String {
        SessionAuthority(key: try site.store.sessionKey()).reference(to: phones[phone].udid)
    }

    /// The statuses of the apps' pages, in this order.
    func statuses(of slugs: [String], for cookie: String) async throws -> [Int] {
        var found: [Int] = []
        for slug in slugs { found.append(try await get("/apps/\(slug)", cookie).status) }
        return found
    }
}
