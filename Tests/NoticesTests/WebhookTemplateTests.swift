import Bytes
import Foundation
import Notices
import Releases
import Testing

/// Bodies from an admin's template for a webhook.
struct WebhookTemplateTests {
    private func notice(_ title: String) -> Notice {
        Notice(
            identifier: "0",
            event: .test,
            date: Date(timeIntervalSince1970: 1_800_000_000),
            title: title,
            message: "One.\nTwo.",
        )
    }

    private func sent(_ template: String, _ title: String) throws -> [String: JSONValue] {
        let body = try WebhookTemplate(template).body(of: notice(title))
        return try JSONDecoder().decode([String: JSONValue].self, from: Data(body))
    }

    @Test func `whatever a stranger named stays inside its string`() throws {
        let name = #"a", "admin": "yes\" {{message}} "# + "\u{1}\u{7F}\t\u{2028}é"
        let body = try sent(
            #"{"a": "{{title}} / {{ message }}", "b": "{{version}}", "c": "{"}"#,
            name,
        )
        #expect(body["a"] == .text(name + " / One.\nTwo."))
        #expect(body["b"] == .text("") && body["c"] == .text("{") && body.count == 3)
    }

    @Test(arguments: [
        "", "{", #"{"a": {{title}}}"#, #"{"a": "{{secret}}"}"#, #"{"a": "{{title"}} "#,
        "text {{title}}", #"{"a": "{{title"}"#,
        String(repeating: " ", count: 8193),
    ])
    func `what would be no JSON, or names something else, is refused`(_ text: String) {
        #expect {
            _ = try WebhookTemplate(text)
        } throws: { ($0 as? WebhookRefusal)?.id == "webhook.bad-body" }
    }

    @Test func `only the kind custom has a body`() throws {
        var register = WebhookRegister()
        var draft = WebhookDraft(url: "https://hooks.example.com/a", kind: .slack, by: "ana")
        draft.body = "{}"
        #expect(throws: WebhookRefusal.needlessBody) {
            _ = try register.add(draft, at: Date(), random: { Array(repeating: 7, count: $0) })
        }
        draft.body = nil
        draft.secret = WebhookSecret("0123456789abcdef0123456789abcdef")
        #expect(throws: WebhookRefusal.needlessSecret) {
            _ = try register.add(draft, at: Date(), random: { Array(repeating: 7, count: $0) })
        }
        draft.secret = nil
        draft.body = "{}"
        draft.kind = .custom
        let added = try register.add(
            draft,
            at: Date(),
            random: { Array(repeating: 7, count: $0) },
        )
        #expect(try WebhookTemplate("{}") == added.template)
    }
}
