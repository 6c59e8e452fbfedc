import APIDocuments
import Access
import Administration
import GitRepositories
import HTTPTypes
import MirrorBuilds
import Mirrors
import SiteServices

extension APIRoutes {
    static let mirrors: [APIRoute] = [
        APIRoute(ListMirrors.self), APIRoute(AddMirror.self), APIRoute(ShowMirror.self),
        APIRoute(ChangeMirror.self), APIRoute(RemoveMirror.self), APIRoute(AskForSync.self),
    ]
}
