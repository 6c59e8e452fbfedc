import Administration
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Testing

/// What admins see and change on their pages, and programs by the API.
extension ModelPair {
    /// Someone with or without rights.
    private struct Holder {
        let rights: Set<PeopleModel.Right>
        let fields: [String: String]
        /// The code for forms; nil for a program.
        let formCode: String?
        let name: String

        var isProgram: Bool { formCode == nil }
    }

    private mutating func pickHolder() -> Holder? {
        if pick(below: 3) == 0 {
            guard let number = pickToken() else { return nil }
            return Holder(
                rights: model.people.rights(ofToken: number, at: model.now),
                fields: ["Authorization": "Bearer \(secrets[number].text)"],
                formCode: nil,
                name: "token \(number)",
            )
        }
        guard let number = pickSession(ofTester: false) else { return nil }
        let rights = model.people.rights(in: number, at: model.now)
        return Holder(
            rights: rights,
            fields: ["Cookie": held[number].cookie],
            formCode: formCode(of: number),
            name: "session \(number) of \(model.people.sessions[number].person)",
        )
    }

    // MARK: What they see

    mutating func compareHolder(_ client: WireClient, after step: String) async throws {
        guard let holder = pickHolder() else { return }
        let rights = holder.rights
        let what = "\(step); \(holder.name) with \(rights)"
        let root = holder.isProgram ? "/api/v1" : "/admin"
        func get(_ path: String) async throws -> WireResponse {
            try await client.request("GET", root + path, holder.fields)
        }
        let list = try await get("/apps")
        guard !rights.isEmpty else {
            #expect(Self.isStopped(list), "\(what): \(list.status)")
            seen["stopped", default: 0] += 1
            return
        }
        #expect(list.status == 200, "\(what): \(list.status)")
        seen["looked", default: 0] += 1
        for (number, slug) in Self.slugs.enumerated() {
            let isThere =
                holder.isProgram
                ? list.text.contains("\"\(slug)\"")
                : list.text.contains("/admin/apps/\(slug)\"")
            #expect(isThere == rights.allow(.viewer, on: number), "\(what): \(slug)")
        }
        let app = pick(below: apps.count)
        let page = try await get("/apps/\(Self.slugs[app])")
        #expect(page.status == (rights.allow(.viewer, on: app) ? 200 : 404), "\(what): \(app)")
        let places =
            holder.isProgram
            ? ["/devices", "/groups", "/teams", "/sign-in/sessions", "/activity"]
            : ["/devices", "/groups", "/teams", "/people", "/tokens", "/activity"]
        let place = pick(places)
        let answer = try await get(place)
        // On the activity page, people see what was done to their apps.
        let isShared = place == "/activity" && !holder.isProgram
        let isAllowed = rights.allow(.admin) || isShared
        #expect(answer.status == (isAllowed ? 200 : 403), "\(what): \(place)")
        guard isShared else { return }
        for (number, slug) in Self.slugs.enumerated() where !rights.allow(.viewer, on: number) {
            let isNamed = ["\"", "/", "?"].contains { answer.text.contains("apps/\(slug)\($0)") }
            #expect(!isNamed, "\(what): activity of \(slug)")
        }
    }

    /// Whether a response turns away someone without rights.
    private static func isStopped(_ answer: WireResponse) -> Bool {
        [401, 429].contains(answer.status)
            || answer.status == 303 && answer.fields["location"]?.contains("/sign-in") == true
    }

    // MARK: What they change

    /// An action that needs a role, and its effect in the model.
    private struct Act {
        var role = PeopleModel.Role.publisher
        /// Nil for an action that belongs to no app.
        var app: Int?
        /// Whether the addressed resource exists.
        var isThere = true
        let page: String
        var form: [String: String] = [:]
        var method = "POST"
        let route: String
        var body = "{}"
        let change: (inout AccessModel) -> Bool
    }

    mutating func act(_ client: WireClient) async throws -> String {
        let act = try pickAct()
        guard let holder = pickHolder() else { return "nothing" }
        let what = "\(holder.name) with \(holder.rights): \(act.page)"
        let answer: WireResponse
        if let code = holder.formCode {
            let form = act.form.merging(["form": code]) { $1 }
            answer = try await client.post("/admin" + act.page, form, holder.fields)
        } else {
            let fields = holder.fields.merging(["Content-Type": "application/json"]) { $1 }
            answer = try await client.send(
                act.method,
                "/api/v1" + act.route,
                act.body,
                fields,
            )
        }
        if holder.rights.isEmpty {
            #expect(Self.isStopped(answer), "\(what): \(answer.status)")
        } else if let status = Self.refusal(of: act, holder.rights, holder.isProgram) {
            #expect(answer.status == status, "\(what): \(answer.status)")
            seen["forbidden", default: 0] += 1
        } else {
            let isDone = act.change(&model)
            #expect((answer.status < 400) == isDone, "\(what): \(answer.status)")
            if isDone { seen["acted", default: 0] += 1 }
        }
        return what
    }

    /// The status for someone without sufficient rights; nil for others.
    private static func refusal(
        of act: Act,
        _ rights: Set<PeopleModel.Right>,
        _ isProgram: Bool,
    ) -> Int? {
        let isAllowed = rights.allow(act.role, on: act.app)
        // A page that is only for admins is refused before its path is parsed.
        if act.role == .admin, !isProgram { return isAllowed ? nil : 403 }
        if let app = act.app, !rights.allow(.viewer, on: app) { return 404 }
        if !isProgram, !act.isThere { return 404 }
        if !isAllowed { return 403 }
        return act.isThere ? nil : 404
    }

    private mutating func pickAct() throws -> Act {
        let app = pick(below: apps.count)
        let build = pick(below: Self.buildCount)
        let slug = Self.slugs[app]
        let group = pick(Self.groups)
        let isThere = model.isThere(build, of: app)
        let page = "/apps/\(slug)/\(Self.version(build))"
        let route = "/apps/\(slug)/releases/\(Self.version(build))"
        func onBuild(
            _ verb: String,
            _ form: [String: String] = [:],
            _ body: String = "{}",
            _ change: @escaping (inout AccessModel) -> Bool,
        ) -> Act {
            Act(
                app: app,
                isThere: isThere,
                page: page + "/" + verb,
                form: form,
                route: route + "/" + verb,
                body: body,
                change: change,
            )
        }
        switch pick(below: 8) {
        case 0..<2:
            let channel = pick(Self.channels)
            let end = ending(of: channel)
            let offered = model.apps[app].offers[channel].map { Self.version($0).rawValue }
            let life = end == nil ? "" : Self.life
            let form = ["channel": channel, "instead": offered ?? "-", "expires": life]
            let expires = end == nil ? "" : #", "expires": "\#(Self.life)""#
            return onBuild("promote", form, #"{"channel": "\#(channel)"\#(expires)}"#) {
                $0.offer(build, of: app, on: channel, until: end)
            }
        case 2:
            return onBuild("withdraw", ["reason": "broken"], #"{"reason": "broken"}"#) {
                $0.withdraw(build, of: app)
            }
        case 3: return onBuild("restore") { $0.restore(build, of: app) }
        case 4: return onBuild("pin") { $0.pin(build, of: app, true) }
        case 5: return onBuild("unpin") { $0.pin(build, of: app, false) }
        case 6:
            let days = pick([1, 5, 30])
            return Act(
                role: .admin,
                app: app,
                page: "/apps/\(slug)/rules",
                form: ["kind": "own", "newest": "1", "days": "\(days)", "installed": "on"],
                method: "PUT",
                route: "/apps/\(slug)/rules",
                body: #"{"newest": 1, "days": \#(days)}"#,
            ) {
                $0.change(rules: RetentionRules(newest: 1, days: days), of: app)
                return true
            }
        default:
            return Act(
                role: .admin,
                page: "/groups",
                form: ["group": group],
                route: "/groups",
                body: #"{"name": "\#(group)"}"#,
            ) { $0.create(group) }
        }
    }
}
