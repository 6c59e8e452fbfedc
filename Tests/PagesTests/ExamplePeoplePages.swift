import Foundation
import Pages
import Releases

/// The admin's page with the sign-in settings.
extension ExamplePages {
    func peoplePages() throws -> [String: String] {
        [
            "people": try html(people()),
            "people-none": try html(people(isSet: false)),
            "people-refused": try html(people(isSet: false, isRefused: true)),
            "people-tried": try html(people(tried: true)),
            "people-failed": try html(people(tried: false)),
        ]
    }

    private func people(
        isSet: Bool = true,
        isRefused: Bool = false,
        tried: Bool? = nil,
    ) throws -> PeoplePage {
        let url = try adminLinks().people
        func button(_ title: String, _ path: String, _ confirmation: String?) -> ActionButton {
            ActionButton(
                title,
                label: "\(title) it",
                url: url + path,
                code: "0123456789abcdef",
                confirmation: confirmation,
                isBad: confirmation != nil,
            )
        }
        var draft = PeoplePage.Draft()
        if isSet || isRefused {
            draft.issuer = "https://id.example.com"
            draft.clientID = "ota"
            draft.hasSecret = isSet
            draft.name = word("Example ID")
            draft.roleClaim = "groups"
            draft.people = word("admin=ana@example.com")
            draft.testerGroups = "qa=mobile-team"
        }
        if isRefused {
            draft.problem = PageProblem(
                id: "sign-in.bad-role",
                message: word("“ana” is neither an e-mail address nor sub: and a subject."),
                fix: "Give such as admin=ana@example.com.",
            )
        }
        return PeoplePage(
            provider: isSet
                ? (
                    word("Example ID"),
                    [
                        PeoplePage.Fact("Issuer", word("https://id.example.com")),
                        PeoplePage.Fact("Secret", "kept"),
                        PeoplePage.Fact("admin", word("ana@example.com")),
                        PeoplePage.Fact("tester in qa", word("groups mobile-team")),
                    ],
                ) : nil,
            addresses: [
                PeoplePage.Fact("redirect URI", "https://ota.example.com/sign-in/callback"),
                PeoplePage.Fact(
                    "post-logout redirect URI",
                    "https://ota.example.com/admin/sign-in",
                ),
                PeoplePage.Fact(
                    "back-channel logout URI",
                    "https://ota.example.com/sign-in/back-channel-logout",
                ),
            ],
            buttons: [
                button("Test", "/test", nil),
                button(
                    "Remove",
                    "/remove",
                    "Everyone who signed in at the provider is signed out.",
                ),
            ],
            tried: tried.map { isGood in
                PeoplePage.Tried(
                    isGood ? "The provider can be used" : "The provider cannot be used",
                    isGood: isGood,
                    steps: [
                        PeoplePage.Step(
                            word("https://id.example.com answers and names itself so."),
                            fix: isGood ? nil : word("Check the issuer."),
                            tone: isGood ? "good" : "bad",
                        )
                    ],
                )
            },
            sessions: isSet
                ? ["admin", "member of qa"].map { right in
                    PeoplePage.Session(
                        name: word("ana@example.com"),
                        right: right,
                        isTester: right != "admin",
                        opened: Self.now - 600,
                        expires: Self.now + 42_600,
                        isOwn: right == "admin",
                        buttons: [
                            button("End", "/0123456789ab/end", "This session ends at once."),
                            button(
                                "Sign out everywhere",
                                "/0123456789ab/end-everywhere",
                                "All sessions of this person end at once.",
                            ),
                        ],
                    )
                } : [],
            count: isSet ? 2 : 0,
            showsTesters: true,
            url: url,
            draft: draft,
            admin: try admin(.tokens),
        )
    }
}
