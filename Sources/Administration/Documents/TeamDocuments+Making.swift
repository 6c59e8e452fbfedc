package import APIDocuments
import Enrolment
import Foundation

extension ImportDocument {
    package init(_ outcome: DeviceImport) {
        self.init(added: outcome.added, known: outcome.known, shortened: outcome.shortened)
    }
}

extension SentInvitationDocument {
    package init(_ sent: SentInvitation) {
        self.init(
            invitation: InvitationEntry(sent.issued.invitation, at: sent.date),
            url: sent.url,
            codeURL: sent.codeURL,
            code: sent.issued.code.digits,
            posterURL: sent.issued.invitation.isForMany ? sent.url + "/poster" : nil,
            codeExpires: sent.date.addingTimeInterval(InvitationCode.lifetime),
        )
    }
}
