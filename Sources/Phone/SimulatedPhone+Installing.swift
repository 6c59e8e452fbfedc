import Foundation

extension SimulatedPhone {
    /// Performs the steps of a tester's phone, from the page to the app.
    ///
    /// - Parameters:
    ///   - target: an install page's URL, an `itms-services` link, or a manifest's URL.
    ///   - report: called with each step when it ends.
    /// - Returns: the steps; does not throw, because failures of the server are the result.
    package func install(
        from target: String,
        reporting report: @escaping (Step) -> Void = { _ in },
    ) async -> SimulatedInstall {
        var simulation = InstallSimulation(self, reporting: report)
        let installation = await install(from: target, on: &simulation)
        simulation.skipTheRest(of: StepName.installing)
        return SimulatedInstall(url: target, steps: simulation.steps, installation: installation)
    }

    private func install(
        from target: String,
        on simulation: inout InstallSimulation,
    ) async -> Installation? {
        guard let manifest = await simulation.manifestAddress(from: target), simulation.goesOn,
            let offer = await simulation.offer(at: manifest), simulation.goesOn
        else { return nil }
        await simulation.fetchIcons(of: offer)
        guard let archive = await simulation.askForSize(of: offer), simulation.goesOn else {
            return nil
        }
        await simulation.askForPart(of: archive, title: offer.title)
        guard simulation.goesOn, let arrival = await simulation.download(archive, of: offer) else {
            return nil
        }
        guard simulation.goesOn, let installation = simulation.examine(arrival, of: offer) else {
            try? FileManager.default.removeItem(at: arrival.file)
            return nil
        }
        return installation
    }
}
