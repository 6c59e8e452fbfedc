import APIDocuments
import Administration
import Enrolment
import Foundation
import Identifiers
import Releases
import Store
import Testing

struct InvitationActionTests {
    @Test func `an invitation needs an address, names an app, and can be taken back`() async throws
    {
        try await Office.open { office in
            let new = NewInvitation(name: "Ana", app: "forks", validity: 86_400)
            #expect(throws: AdministrationRefusal.noBaseURL) { try office.ada.invite(new) }
            let base = try BaseURL("https://ota.example.com/x")
            try office.store.changeSettings { $0.baseURL = base }
            #expect(throws: AdministrationRefusal.unknownApp("forks", known: [])) {
                try office.ada.invite(new)
            }
            let (app, _) = try office.publish()
            let sent = try office.ada.invite(new)
            #expect(sent.url == "https://ota.example.com/x/enrol/\(sent.issued.token.text)")
            #expect(sent.codeURL == "https://ota.example.com/x/enrol")
            #expect(sent.issued.invitation.app == app.bundleIdentifier)
            #expect(sent.issued.invitation.createdBy == "Ada")
            let identifier = sent.issued.invitation.identifier
            #expect(try office.ada.revokeInvitation(identifier).state(at: Office.date) == .revoked)
            #expect(throws: InvitationRefusal.revoked) {
                try office.ada.revokeInvitation(identifier)
            }
            #expect(throws: InvitationRefusal.badValidity(InvitationRegister.validities)) {
                try office.ada.invite(NewInvitation(name: "Ana", validity: 1))
            }
            #expect(
                try office.journal() == [
                    "invitationRevoked Ana", "deviceInvited Ana", "published 1.1-1",
                ]
            )
        }
    }

    @Test func `an invitation to an app for groups is for one of them`() async throws {
        try await Office.open { office in
            try office.store.changeSettings { $0.baseURL = try BaseURL("https://ota.example.com") }
            let (app, _) = try office.publish()
            let (qa, beta) = try (#require(GroupName("qa")), #require(GroupName("beta")))
            for name in [qa, beta] { try office.ada.createGroup(name) }
            let access = try #require(AppRecord.Access("groups:qa"))
            try office.store.changeApp(app.bundleIdentifier) { $0.access = access }
            #expect(throws: GroupRefusal.outsideApp(app.title, [qa])) {
                try office.ada.invite(NewInvitation(name: "Ana", app: app.slug.rawValue))
            }
            #expect(throws: GroupRefusal.outsideApp(app.title, [qa])) {
                try office.ada.invite(
                    NewInvitation(name: "Ana", app: app.slug.rawValue, groups: GroupNames("beta"))
                )
            }
            _ = try office.ada.invite(
                NewInvitation(name: "Ana", app: app.slug.rawValue, groups: GroupNames("qa,beta"))
            )
            _ = try office.ada.invite(NewInvitation(name: "Ana"))
            #expect(throws: GroupRefusal.exists(qa)) { try office.ada.createGroup(qa) }
        }
    }

    @Test func `a request to invite leaves out what has a usual value`() throws {
        let json = Data(#"{"name": "Ana"}"#.utf8)
        let new = try JSONDecoder().decode(NewInvitation.self, from: json)
        #expect(new == NewInvitation(name: "Ana", validity: 7 * 86_400))
    }
}
