package import APIDocuments
package import Releases
package import Store

extension ActivityDocument {
    package init(
        activity: [Activity],
        cursor: String,
        older: String? = nil,
        unreadable: [StoreFailure] = [],
    ) {
        self.init(
            activity: activity,
            cursor: cursor,
            older: older,
            unreadable: ErrorDocument.Failure.list(unreadable),
        )
    }
}

extension AppsDocument {
    package init(
        apps: [AppDescription],
        unreadable: [StoreFailure] = [],
        next: String? = nil,
    ) {
        self.init(apps: apps, unreadable: ErrorDocument.Failure.list(unreadable), next: next)
    }
}

extension ReleasesDocument {
    package init(releases: [ReleaseEntry], older: Int, unreadable: [StoreFailure] = []) {
        self.init(
            releases: releases,
            older: older,
            unreadable: ErrorDocument.Failure.list(unreadable),
        )
    }
}
