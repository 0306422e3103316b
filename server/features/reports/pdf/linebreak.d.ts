declare module "linebreak" {
  /** Finds where a line may end, by the Unicode Line Breaking Algorithm. */
  export default class LineBreaker {
    constructor(text: string);
    /** Null after the end of the text. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
