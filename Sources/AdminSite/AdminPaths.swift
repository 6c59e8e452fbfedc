import Enrolment
import HTTPServing
import Hummingbird
import Identifiers
import Releases
import SiteServices

/// The parameters in paths of admin pages; other values are not found.
extension RouteContext {
    var slug: Slug {
        get throws(Refusal) {
            guard let slug = Slug(try text("slug")) else { throw .notFound }
            return slug
        }
    }

    var release: ReleaseIdentifier {
        get throws(Refusal) {
            guard let release = ReleaseIdentifier(try text("release")) else { throw .notFound }
            return release
        }
    }

    var channelName: ChannelName {
        get throws(Refusal) {
            guard let channel = ChannelName(try text("channel")) else { throw .notFound }
            return channel
        }
    }

    var invitation: InvitationIdentifier {
        get throws(Refusal) {
            guard let invitation = InvitationIdentifier(try text("invitation")) else {
                throw .notFound
            }
            return invitation
        }
    }
}

extension Request {
    /// The number in `?page=`, from 1; 1 if there is none.
    var pageNumber: Int {
        get throws(Refusal) {
            guard let text = uri.queryParameters["page"] else { return 1 }
            guard let number = Int(text), (1...100_000).contains(number) else { throw .notFound }
            return number
        }
    }
}
