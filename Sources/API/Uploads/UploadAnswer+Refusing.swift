import HTTPTypes
import SiteServices
import Uploads

extension UploadAnswer {
    /// The final answer to an upload that is not published, as the API writes it.
    init(refusing error: any Error) {
        let answer = APIAnswer(refusing: Refusal.hidingPaths(of: error, from: nil))
        self.init(
            status: answer.status.code,
            body: String(decoding: answer.body, as: UTF8.self),
        )
    }
}
