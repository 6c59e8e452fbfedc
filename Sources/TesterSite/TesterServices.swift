import Access
package import Cryptography
package import SiteServices

/// The services behind the pages and files for testers.
package struct TesterServices: Sendable {
    let site: Site
    let installs: InstallServices
    let events: EventServices
    let enrolment: EnrolmentServices
    /// The development authority, while the server uses one of its certificates.
    let authority: @Sendable () -> Certificate?
    let references: DeviceReferences
    let progress: ProgressReader
    /// Limits how often testers send feedback, by address and app.
    let feedback: SharedGuesses

    /// - Parameters:
    ///   - site: the shared services.
    ///   - installs: grants, checks and tracks installs.
    ///   - events: sends events to listeners.
    ///   - enrolment: verifies devices.
    ///   - authority: the development authority, while the server uses one of its certificates.
    package init(
        site: Site,
        installs: InstallServices,
        events: EventServices,
        enrolment: EnrolmentServices,
        authority: @escaping @Sendable () -> Certificate?,
    ) {
        self.site = site
        self.installs = installs
        self.events = events
        self.enrolment = enrolment
        self.authority = authority
        references = DeviceReferences(sessions: site.sessions)
        progress = ProgressReader(site)
        feedback = SharedGuesses(.feedback, in: site.store)
    }
}
