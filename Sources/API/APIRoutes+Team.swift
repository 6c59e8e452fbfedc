import APIDocuments
import Administration

extension APIRoutes {
    static let invitations: [APIRoute] = [
        APIRoute(ListInvitations.self), APIRoute(InviteTester.self),
        APIRoute(RevokeInvitation.self),
    ]

    static let profiles: [APIRoute] = [
        APIRoute(ListProfiles.self), APIRoute(AddProfile.self),
        APIRoute(ListExpiringProfiles.self), APIRoute(ShowProfile.self),
    ]

    static let tokens: [APIRoute] = [
        APIRoute(ListTokens.self), APIRoute(CreateToken.self), APIRoute(RevokeToken.self),
    ]
}
