extension SimulatedPhone {
    /// Does what a tester does with an invitation: downloads the profile in Safari, installs it in
    /// Settings, and is back in Safari when the server sends it there.
    ///
    ///     let attempt = await phone.enrol(from: invitation) { request in
    ///         try device.answer(challenge: request.challenge ?? "")
    ///     }
    ///
    /// - Parameters:
    ///   - target: the invitation's URL; with a code, that of the page where codes are typed.
    ///   - code: the six digits, where that is how the tester came.
    ///   - answering: signs what the device answers; a real one does it with a key of its own.
    ///   - report: is called with each step when it ends.
    /// - Returns: what happened; Safari's ``cookies`` are kept for installing.
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
