extension APIRequest {
    /// The profile type for distribution to registered devices.
    static let adHoc = "IOS_APP_ADHOC"

    /// Attributes without the contents, so that pages are small.
    private static let listed = (
        name: "fields[profiles]",
        value:
            "name,profileType,profileState,uuid,createdDate,expirationDate,bundleId,certificates",
    )
    private static let included = [
        (name: "include", value: "bundleId,certificates"),
        (name: "fields[bundleIds]", value: "identifier"),
        (name: "fields[certificates]", value: "certificateType"),
    ]

    /// All Ad Hoc profiles of the team.
    static let profiles = APIRequest(
        .get,
        .readProfiles,
        path: "/v1/profiles",
        query: [listed] + included + [
            ("filter[profileType]", adHoc), ("limit", "\(pageSize)"),
        ],
    )

    /// Profiles whose name contains this one, with their contents.
    static func profiles(named name: String) -> APIRequest {
        APIRequest(
            .get,
            .readProfiles,
            path: "/v1/profiles",
            query: [
                ("filter[name]", name),
                (
                    "fields[profiles]",
                    listed.value + ",profileContent",
                ),
            ] + included + [("limit", "10")],
        )
    }

    static func profile(_ id: ResourceID) -> APIRequest {
        APIRequest(
            .get,
            .readProfiles,
            path: "/v1/profiles/\(id)",
            query: [("fields[profiles]", listed.value + ",profileContent")] + included,
        )
    }

    static func create(_ draft: ProfileDraft) -> APIRequest {
        struct Attributes: Encodable {
            let name: String
            let profileType = APIRequest.adHoc
        }
        return APIRequest(
            .post,
            .createProfile,
            path: "/v1/profiles",
            body: ResourceBody(
                "profiles",
                Attributes(name: draft.name.text),
                relationships: [
                    "bundleId": .one("bundleIds", draft.bundleID),
                    "certificates": .several("certificates", [draft.certificate]),
                    "devices": .several("devices", draft.devices.map(\.id)),
                ],
            ),
        )
    }

    static func deleteProfile(_ id: ResourceID) -> APIRequest {
        APIRequest(.delete, .deleteProfile, path: "/v1/profiles/\(id)")
    }
}
