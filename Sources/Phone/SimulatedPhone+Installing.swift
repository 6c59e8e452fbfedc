import Foundation

extension SimulatedPhone {
    /// Does what a tester's phone does, from the page to the app.
    ///
    /// - Parameters:
    ///   - target: an install page's URL, an `itms-services` link, or a manifest's URL.
    ///   - report: is told of each step when it ends.
    /// - Returns: what happened; never throws, for a failing server is what this is about.
    package func install(
        from target: String,
        reporting report: @escaping (Step) -> Void = { _ in },
    ) async -> InstallAttempt {
        var journey = Journey(self, reporting: report)
        let installation = await install(from: target, on: &journey)
        journey.skipTheRest(of: StepName.installing)
        return InstallAttempt(url: target, steps: journey.steps, installation: installation)
    }

    private func install(from target: String, on journey: inout Journey) async -> Installation? {
        guard let manifest = await journey.manifestAddress(from: target), journey.goesOn,
            let offer = await journey.offer(at: manifest), journey.goesOn
        else { return nil }
        await journey.fetchIcons(of: offer)
        guard let archive = await journey.askForSize(of: offer), journey.goesOn else { return nil }
        await journey.askForPart(of: archive, title: offer.title)
        guard journey.goesOn, let arrival = await journey.download(archive, of: offer) else {
            return nil
        }
        guard journey.goesOn, let installation = journey.examine(arrival, of: offer) else {
            try? FileManager.default.removeItem(at: arrival.file)
            return nil
        }
        return installation
    }
}
