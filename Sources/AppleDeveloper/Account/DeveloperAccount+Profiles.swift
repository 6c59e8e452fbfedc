import Bundles
import Bytes
import Identifiers

extension DeveloperAccount {
    /// All Ad Hoc profiles of the team without contents, including those that this server did not create.
    package func profiles() async throws(AppleFailure) -> [AccountProfile] {
        try await list(.profiles)
    }

    /// The devices of a profile, according to the API.
    package func devices(of profile: ResourceID) async throws(AppleFailure) -> [AccountDevice] {
        try await list(.devices(ofProfile: profile))
    }

    /// A profile with its content; nil when it no longer exists.
    package func profile(_ id: ResourceID) async throws(AppleFailure) -> AccountProfile? {
        do throws(AppleFailure) {
            let found: AccountProfile = try await value(.profile(id))
            return found
        } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
    }

    /// Creates an Ad Hoc profile.
    ///
    /// An existing profile with the draft's name is returned. The devices in the profile are compared
    /// with those of the draft, because Apple omits devices that it is still processing.
    package func issue(_ draft: ProfileDraft) async throws(AppleFailure) -> IssuedProfile {
        let name = draft.name.text
        let earlier = try await profile(named: name)
        let profile: AccountProfile
        if let earlier {
            profile = earlier
        } else {
            profile = try await create(.create(draft), naming: name) {
                () async throws(AppleFailure) in
                try await self.profile(named: name)
            }
        }
        return try await issued(profile, of: draft)
    }

    /// Deletes a profile that this installation created; a missing profile is not an error.
    ///
    /// - Throws: ``AppleFailure/notOurs(what:name:)`` for any other profile.
    package func delete(_ id: ResourceID) async throws(AppleFailure) {
        // The check uses the present name at Apple, not one that was read earlier.
        guard let profile = try await profile(id) else { return }
        guard ProfileName.isName(profile.name, by: mark) else {
            throw .notOurs(what: "profile", name: profile.name)
        }
        do throws(AppleFailure) {
            try await perform(.deleteProfile(id))
        } catch {
            guard case .notFound = error else { throw error }
        }
    }

    private func profile(named name: String) async throws(AppleFailure) -> AccountProfile? {
        let found: [AccountProfile] = try await list(.profiles(named: name))
        // Apple's filter also returns names that contain the requested one.
        return found.first { $0.name.isBytes(of: name) }
    }

    private func issued(
        _ profile: AccountProfile,
        of draft: ProfileDraft,
    ) async throws(AppleFailure) -> IssuedProfile {
        var whole = profile
        if whole.content == nil, let read = try await self.profile(profile.id) { whole = read }
        guard let content = whole.content, !content.isEmpty else {
            throw .unreadable(reason: "the profile has no content")
        }
        let claims: ProvisioningProfile
        do throws(ProfileRefusal) {
            claims = try ProfileEnvelope(bytes: content, place: draft.name.text).claims()
        } catch {
            throw .unreadable(reason: "\(error)")
        }
        let listed = Set(claims.devices ?? [])
        return IssuedProfile(
            profile: whole,
            content: content,
            devices: listed,
            omitted: draft.devices.filter { device in
                device.udid.map { !listed.contains($0) } ?? true
            },
        )
    }
}
