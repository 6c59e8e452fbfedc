extension SimulatedPhone {
    /// Performs the steps of a tester with an invitation: downloads the profile in Safari, installs it in
    /// Settings, and returns to Safari when the server redirects.
    ///
    ///     let attempt = await phone.enrol(from: invitation) { request in
    ///         try device.answer(challenge: request.challenge ?? "")
    ///     }
    ///
    /// - Parameters:
    ///   - target: the invitation's URL; with a code, the URL of the page for entering it.
    ///   - code: the six digits, if the tester was given a code.
    ///   - answering: signs the device's response; a real device uses its own key.
    ///   - report: called with each step when it ends.
    /// - Returns: the steps; Safari's ``cookies`` are kept for installing.
    package mutating func enrol(
        from target: String,
        code: String? = nil,
        answering: (ProfileServiceRequest) throws -> [UInt8],
        reporting report: @escaping (Step) -> Void = { _ in },
    ) async -> EnrolmentAttempt {
        var simulation = InstallSimulation(self, reporting: report)
        let arrival = await simulation.enrol(from: target, code: code, answering: answering)
        cookies = simulation.cookies
        simulation.skipTheRest(of: StepName.enrolling)
        return EnrolmentAttempt(url: target, steps: simulation.steps, arrival: arrival)
    }
}
