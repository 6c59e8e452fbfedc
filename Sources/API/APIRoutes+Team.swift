import APIDocuments
import Access
import Administration
import Enrolment
import Foundation
import HTTPTypes
import Releases
import Store

extension APIRoutes {
    static let invitations: [APIRoute] = [
        APIRoute(.get, "/invitations", .everywhere(.admin), query: ["all"]) { call in
            let all = try call.flag("all")
            return try await call.json { try $0.invitations(all: all) }
        },
        APIRoute(.post, "/invitations", .everywhere(.admin)) { call in
            let new = try call.request(NewInvitation.self)
            return try await call.json(status: .created) { try $0.invite(new) }
        },
        APIRoute(.delete, "/invitations/{invitation}", .everywhere(.admin)) { call in
            guard let identifier = InvitationIdentifier(try call.parameter("invitation")) else {
                throw InvitationRefusal.unknown
            }
            return try await call.json { try $0.revokeInvitation(identifier) }
        },
    ]

    static let profiles: [APIRoute] = [
        APIRoute(.get, "/profiles", .everywhere(.read)) { call in
            try await call.json { try $0.profiles() }
        },
        APIRoute(.post, "/profiles", .everywhere(.admin), bodyLimit: 1 << 20) { call in
            let bytes = try call.request(ProfileRequest.self).profile
            return try await call.json(status: .created) {
                try $0.addProfile(Array(bytes), from: "profile")
            }
        },
        APIRoute(.get, "/profiles/expiring", .everywhere(.read), query: ["within"]) { call in
            let most = 10_000 * 86_400
            let seconds = try call.number("within", in: 0...most, else: 30 * 86_400)
            return try await call.json { try $0.profilesExpiring(within: TimeInterval(seconds)) }
        },
        APIRoute(.get, "/profiles/{profile}", .everywhere(.read)) { call in
            let name = try call.parameter("profile")
            return try await call.json { try $0.profile(name) }
        },
    ]

    static let tokens: [APIRoute] = [
        APIRoute(ListTokens.self), APIRoute(CreateToken.self), APIRoute(RevokeToken.self),
    ]
}
