import Foundation
import Identifiers
import Releases
import Testing

struct GroupNameTests {
    @Test(arguments: ["qa", "a", "0", "beta-testers", String(repeating: "a", count: 40)])
    func `a name of letters, digits and single hyphens is one`(text: String) throws {
        let name = try #require(GroupName(text))
        #expect(name.description == text)
    }

    @Test(
        arguments: [
            "", "QA", "-qa", "qa-", "q--a", "q a", "q,a", "q:a", "q/a", "qa\n", "q\u{301}a", "ä",
            "\u{212A}", String(repeating: "a", count: 41),
        ]
    )
    func `anything else is none`(text: String) {
        #expect(GroupName(text) == nil)
    }

    @Test func `names of groups are in order, each once, and not too many`() throws {
        #expect(GroupNames("qa,beta,qa")?.description == "beta,qa")
        let many = (0...GroupNames.limit).map { "g\($0)" }
        #expect(GroupNames(many.joined(separator: ",")) == nil)
        #expect(GroupNames(many.dropLast().joined(separator: ",")) != nil)
        for text in ["", ",", "qa,", ",qa", "qa,,beta", "qa, beta", "QA"] {
            #expect(GroupNames(text) == nil, "\(text)")
        }
    }

    @Test func `access says what it is as one text`() throws {
        for text in ["open", "passphrase", "enrolled", "groups:beta,qa"] {
            let access = try #require(AppRecord.Access(text))
            #expect(access.description == text)
            let json = try JSONEncoder().encode([access])
            #expect(try JSONDecoder().decode([AppRecord.Access].self, from: json) == [access])
        }
        for text in ["", "Open", "groups", "groups:", "groups:qa,", "group:qa", "groups:qa;beta"] {
            #expect(AppRecord.Access(text) == nil, "\(text)")
        }
        #expect(AppRecord.ChannelAccess("app") == .app)
        #expect(AppRecord.ChannelAccess("open") == nil)
        #expect(AppRecord.ChannelAccess("groups:qa")?.description == "groups:qa")
    }
}
